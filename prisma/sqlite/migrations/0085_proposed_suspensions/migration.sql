-- AlterTable
ALTER TABLE "Reporter" ADD COLUMN "proposedAt" DATETIME;
ALTER TABLE "Reporter" ADD COLUMN "appealsProposedAt" DATETIME;
ALTER TABLE "Reporter" ADD COLUMN "appealsSuspendedUntil" DATETIME;
ALTER TABLE "Reporter" ADD COLUMN "appealsSuspensions" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "Reporter_projectId_proposedAt_idx" ON "Reporter"("projectId", "proposedAt");

-- CreateIndex
CREATE INDEX "Reporter_projectId_appealsProposedAt_idx" ON "Reporter"("projectId", "appealsProposedAt");
