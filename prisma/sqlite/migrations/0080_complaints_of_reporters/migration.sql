-- DropIndex
DROP INDEX "Report_decidedAt_idx";

-- AlterTable
ALTER TABLE "Report" ADD COLUMN "closedAt" DATETIME;
ALTER TABLE "Report" ADD COLUMN "complainedAt" DATETIME;
ALTER TABLE "Report" ADD COLUMN "complaint" TEXT;
ALTER TABLE "Report" ADD COLUMN "complaintAnswer" TEXT;
ALTER TABLE "Report" ADD COLUMN "complaintCaseId" TEXT;
ALTER TABLE "Report" ADD COLUMN "complaintDecidedAt" DATETIME;
ALTER TABLE "Report" ADD COLUMN "complaintDecidedByUserId" TEXT;
ALTER TABLE "Report" ADD COLUMN "complaintDecision" TEXT;
ALTER TABLE "Report" ADD COLUMN "decidedBy" TEXT;

-- CreateIndex
CREATE INDEX "Report_closedAt_idx" ON "Report"("closedAt");
UPDATE "Report" SET "closedAt" = "decidedAt";
