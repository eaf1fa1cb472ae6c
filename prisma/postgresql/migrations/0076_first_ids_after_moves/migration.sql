-- AlterTable
ALTER TABLE "ParticipantFormerId" ADD COLUMN     "firstIdAfter" TEXT;
