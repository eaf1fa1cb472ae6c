-- AlterTable
ALTER TABLE "ErasedBan" ADD COLUMN "batchId" TEXT;
ALTER TABLE "ErasedBan" ADD COLUMN "createdAt" DATETIME;
ALTER TABLE "ErasedBan" ADD COLUMN "createdByRuleId" TEXT;
ALTER TABLE "ErasedBan" ADD COLUMN "createdByUserId" TEXT;
