-- AlterTable
ALTER TABLE "RuleDecision" ADD COLUMN     "counted" TEXT;

-- CreateIndex
CREATE INDEX "RuleDecision_ruleId_sessionId_saidAt_idx" ON "RuleDecision"("ruleId", "sessionId", "saidAt");
