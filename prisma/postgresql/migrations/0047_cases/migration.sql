-- AlterTable
ALTER TABLE "Report" ADD COLUMN     "caseId" TEXT,
ADD COLUMN     "isBrigaded" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "weight" DOUBLE PRECISION NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "Reporter" (
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "decided" INTEGER NOT NULL,
    "upheld" INTEGER NOT NULL,
    "unfounded" INTEGER NOT NULL,
    "recentUnfounded" INTEGER NOT NULL,
    "lastUnfoundedAt" TIMESTAMP(3),
    "warnedAt" TIMESTAMP(3),
    "suspendedUntil" TIMESTAMP(3),
    "suspensions" INTEGER NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Reporter_pkey" PRIMARY KEY ("projectId","externalUserId")
);

-- CreateTable
CREATE TABLE "Case" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "openKey" TEXT,
    "status" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "categoryWeight" DOUBLE PRECISION NOT NULL,
    "externalUserId" TEXT,
    "roomId" TEXT,
    "reports" INTEGER NOT NULL,
    "reporters" INTEGER NOT NULL,
    "reviews" INTEGER NOT NULL,
    "weight" DOUBLE PRECISION NOT NULL,
    "brigaded" INTEGER NOT NULL,
    "rank" DOUBLE PRECISION NOT NULL,
    "escalatedTo" TEXT,
    "claimedByUserId" TEXT,
    "claimedAt" TIMESTAMP(3),
    "claimExpiresAt" TIMESTAMP(3),
    "proposal" TEXT,
    "proposedByUserId" TEXT,
    "decision" TEXT,
    "reasonCode" TEXT,
    "sanctionId" TEXT,
    "mergedIntoId" TEXT,
    "decidedByUserId" TEXT,
    "decidedAt" TIMESTAMP(3),
    "note" TEXT,
    "dueAt" TIMESTAMP(3) NOT NULL,
    "missedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Case_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CaseReview" (
    "reviewId" TEXT NOT NULL,
    "caseId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "decidedAt" TIMESTAMP(3),

    CONSTRAINT "CaseReview_pkey" PRIMARY KEY ("reviewId")
);

-- CreateIndex
CREATE INDEX "Case_projectId_status_rank_idx" ON "Case"("projectId", "status", "rank");

-- CreateIndex
CREATE INDEX "Case_projectId_rank_idx" ON "Case"("projectId", "rank");

-- CreateIndex
CREATE INDEX "Case_projectId_externalUserId_rank_idx" ON "Case"("projectId", "externalUserId", "rank");

-- CreateIndex
CREATE INDEX "Case_missedAt_decidedAt_dueAt_idx" ON "Case"("missedAt", "decidedAt", "dueAt");

-- CreateIndex
CREATE INDEX "Case_decidedAt_idx" ON "Case"("decidedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Case_projectId_openKey_key" ON "Case"("projectId", "openKey");

-- CreateIndex
CREATE INDEX "CaseReview_caseId_idx" ON "CaseReview"("caseId");

-- CreateIndex
CREATE INDEX "Report_projectId_externalUserId_createdAt_idx" ON "Report"("projectId", "externalUserId", "createdAt");

-- CreateIndex
CREATE INDEX "Report_caseId_id_idx" ON "Report"("caseId", "id");

-- AddForeignKey
ALTER TABLE "Reporter" ADD CONSTRAINT "Reporter_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Case" ADD CONSTRAINT "Case_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CaseReview" ADD CONSTRAINT "CaseReview_caseId_fkey" FOREIGN KEY ("caseId") REFERENCES "Case"("id") ON DELETE CASCADE ON UPDATE CASCADE;
