-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "language" TEXT;
