-- AlterTable
ALTER TABLE "ProjectSettings" ADD COLUMN     "previousSecret" TEXT,
ADD COLUMN     "previousSecretUntil" TIMESTAMP(3);
