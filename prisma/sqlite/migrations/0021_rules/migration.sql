-- CreateTable
CREATE TABLE "RuleState" (
    "projectId" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "stopped" BOOLEAN NOT NULL,
    "revision" INTEGER NOT NULL,
    "changedByUserId" TEXT,
    "changedAt" DATETIME,
    CONSTRAINT "RuleState_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Rule" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "sanctionsPerHourMax" INTEGER NOT NULL,
    "exempt" TEXT NOT NULL,
    "fromPosition" BIGINT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "deletedAt" DATETIME,
    CONSTRAINT "Rule_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RuleVersion" (
    "ruleId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "definition" TEXT NOT NULL,
    "copyOf" INTEGER,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("ruleId", "version"),
    CONSTRAINT "RuleVersion_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "Rule" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RuleDecision" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "ruleId" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "mode" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "messageId" TEXT,
    "sessionId" TEXT,
    "externalUserId" TEXT,
    "outcome" TEXT NOT NULL,
    "sanctions" INTEGER NOT NULL,
    "facts" TEXT,
    "verdict" TEXT,
    "saidAt" DATETIME NOT NULL,
    "decidedAt" DATETIME NOT NULL,
    CONSTRAINT "RuleDecision_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "Rule" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RuleSanction" (
    "sanctionId" TEXT NOT NULL PRIMARY KEY,
    "decisionId" TEXT NOT NULL,
    CONSTRAINT "RuleSanction_decisionId_fkey" FOREIGN KEY ("decisionId") REFERENCES "RuleDecision" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Rule_projectId_deletedAt_id_idx" ON "Rule"("projectId", "deletedAt", "id");

-- CreateIndex
CREATE INDEX "RuleDecision_projectId_id_idx" ON "RuleDecision"("projectId", "id");

-- CreateIndex
CREATE INDEX "RuleDecision_ruleId_id_idx" ON "RuleDecision"("ruleId", "id");

-- CreateIndex
CREATE INDEX "RuleDecision_projectId_externalUserId_id_idx" ON "RuleDecision"("projectId", "externalUserId", "id");

-- CreateIndex
CREATE INDEX "RuleDecision_ruleId_messageId_idx" ON "RuleDecision"("ruleId", "messageId");

-- CreateIndex
CREATE INDEX "RuleDecision_ruleId_externalUserId_saidAt_idx" ON "RuleDecision"("ruleId", "externalUserId", "saidAt");

-- CreateIndex
CREATE INDEX "RuleDecision_ruleId_decidedAt_idx" ON "RuleDecision"("ruleId", "decidedAt");

-- CreateIndex
CREATE INDEX "RuleDecision_decidedAt_idx" ON "RuleDecision"("decidedAt");

-- CreateIndex
CREATE UNIQUE INDEX "RuleDecision_ruleId_version_eventId_key" ON "RuleDecision"("ruleId", "version", "eventId");

-- CreateIndex
CREATE INDEX "RuleSanction_decisionId_idx" ON "RuleSanction"("decisionId");

-- CreateIndex
CREATE INDEX "Gathering_projectId_roomId_idx" ON "Gathering"("projectId", "roomId");
