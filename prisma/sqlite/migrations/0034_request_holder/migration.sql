-- AlterTable
ALTER TABLE "IdempotencyRecord" ADD COLUMN "holder" TEXT;
