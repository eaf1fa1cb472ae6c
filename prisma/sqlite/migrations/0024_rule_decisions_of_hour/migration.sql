-- DropIndex
DROP INDEX "RuleDecision_ruleId_decidedAt_idx";

-- CreateIndex
CREATE INDEX "RuleDecision_ruleId_mode_outcome_decidedAt_idx" ON "RuleDecision"("ruleId", "mode", "outcome", "decidedAt");
