-- CreateTable
CREATE TABLE "AuthorityOrder" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "authority" TEXT NOT NULL,
    "memberState" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "legalGround" TEXT NOT NULL,
    "externalUserId" TEXT,
    "roomId" TEXT,
    "caseId" TEXT,
    "status" TEXT NOT NULL,
    "outcome" TEXT,
    "receivedAt" DATETIME NOT NULL,
    "dueAt" DATETIME NOT NULL,
    "receiptConfirmedAt" DATETIME,
    "decidedAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "AuthorityOrder_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "Case" ADD COLUMN "orders" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Case" ADD COLUMN "trusted" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Report" ADD COLUMN "noticeFrom" TEXT;
ALTER TABLE "Report" ADD COLUMN "noticeReference" TEXT;
ALTER TABLE "Report" ADD COLUMN "isTrustedFlagger" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Report" ADD COLUMN "receivedAt" DATETIME;

-- CreateIndex
CREATE UNIQUE INDEX "Report_projectId_noticeFrom_noticeReference_key" ON "Report"("projectId", "noticeFrom", "noticeReference");

-- CreateIndex
CREATE INDEX "AuthorityOrder_projectId_id_idx" ON "AuthorityOrder"("projectId", "id");

-- CreateIndex
CREATE INDEX "AuthorityOrder_projectId_externalUserId_id_idx" ON "AuthorityOrder"("projectId", "externalUserId", "id");

-- CreateIndex
CREATE INDEX "AuthorityOrder_caseId_idx" ON "AuthorityOrder"("caseId");

-- CreateIndex
CREATE INDEX "AuthorityOrder_decidedAt_idx" ON "AuthorityOrder"("decidedAt");

-- CreateIndex
CREATE UNIQUE INDEX "AuthorityOrder_projectId_kind_memberState_authority_reference_key" ON "AuthorityOrder"("projectId", "kind", "memberState", "authority", "reference");
