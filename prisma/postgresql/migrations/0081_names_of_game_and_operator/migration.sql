-- AlterTable
ALTER TABLE "ProjectSettings" ADD COLUMN     "gameName" TEXT,
ADD COLUMN     "operatorName" TEXT;
