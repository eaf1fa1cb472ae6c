-- AlterTable
ALTER TABLE "ErasedBan" ADD COLUMN     "batchId" TEXT,
ADD COLUMN     "createdAt" TIMESTAMP(3),
ADD COLUMN     "createdByRuleId" TEXT,
ADD COLUMN     "createdByUserId" TEXT;
