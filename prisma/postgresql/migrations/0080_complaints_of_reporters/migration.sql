-- DropIndex
DROP INDEX "Report_decidedAt_idx";

-- AlterTable
ALTER TABLE "Report" ADD COLUMN     "closedAt" TIMESTAMP(3),
ADD COLUMN     "complainedAt" TIMESTAMP(3),
ADD COLUMN     "complaint" TEXT,
ADD COLUMN     "complaintAnswer" TEXT,
ADD COLUMN     "complaintCaseId" TEXT,
ADD COLUMN     "complaintDecidedAt" TIMESTAMP(3),
ADD COLUMN     "complaintDecidedByUserId" TEXT,
ADD COLUMN     "complaintDecision" TEXT,
ADD COLUMN     "decidedBy" TEXT;

-- CreateIndex
CREATE INDEX "Report_closedAt_idx" ON "Report"("closedAt");
UPDATE "Report" SET "closedAt" = "decidedAt";
