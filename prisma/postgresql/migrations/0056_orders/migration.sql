-- AlterTable
ALTER TABLE "Case" ADD COLUMN     "orders" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "trusted" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Report" ADD COLUMN     "isTrustedFlagger" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "noticeFrom" TEXT,
ADD COLUMN     "noticeReference" TEXT,
ADD COLUMN     "receivedAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "AuthorityOrder" (
    "id" TEXT NOT NULL,
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
    "receivedAt" TIMESTAMP(3) NOT NULL,
    "dueAt" TIMESTAMP(3) NOT NULL,
    "receiptConfirmedAt" TIMESTAMP(3),
    "decidedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AuthorityOrder_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "AuthorityOrder_projectId_id_idx" ON "AuthorityOrder"("projectId", "id");

-- CreateIndex
CREATE INDEX "AuthorityOrder_projectId_externalUserId_id_idx" ON "AuthorityOrder"("projectId", "externalUserId", "id");

-- CreateIndex
CREATE INDEX "AuthorityOrder_caseId_idx" ON "AuthorityOrder"("caseId");

-- CreateIndex
CREATE INDEX "AuthorityOrder_decidedAt_idx" ON "AuthorityOrder"("decidedAt");

-- CreateIndex
CREATE UNIQUE INDEX "AuthorityOrder_projectId_kind_memberState_authority_referen_key" ON "AuthorityOrder"("projectId", "kind", "memberState", "authority", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "Report_projectId_noticeFrom_noticeReference_key" ON "Report"("projectId", "noticeFrom", "noticeReference");

-- AddForeignKey
ALTER TABLE "AuthorityOrder" ADD CONSTRAINT "AuthorityOrder_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
