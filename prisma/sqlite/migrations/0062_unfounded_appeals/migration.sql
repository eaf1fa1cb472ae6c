-- AlterTable
ALTER TABLE "Review" ADD COLUMN "isUnfounded" BOOLEAN NOT NULL DEFAULT false;
