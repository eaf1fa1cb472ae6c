-- AlterTable
ALTER TABLE "ProjectSettings" ADD COLUMN "previousSecret" TEXT;
ALTER TABLE "ProjectSettings" ADD COLUMN "previousSecretUntil" DATETIME;
