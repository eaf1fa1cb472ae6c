-- AlterTable
ALTER TABLE "Reporter" ADD COLUMN     "appealsProposedAt" TIMESTAMP(3),
ADD COLUMN     "appealsSuspendedUntil" TIMESTAMP(3),
ADD COLUMN     "appealsSuspensions" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "proposedAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "Reporter_projectId_proposedAt_idx" ON "Reporter"("projectId", "proposedAt");

-- CreateIndex
CREATE INDEX "Reporter_projectId_appealsProposedAt_idx" ON "Reporter"("projectId", "appealsProposedAt");
