-- AlterTable
ALTER TABLE "ProjectSettings" ADD COLUMN "gameName" TEXT;
ALTER TABLE "ProjectSettings" ADD COLUMN "operatorName" TEXT;
