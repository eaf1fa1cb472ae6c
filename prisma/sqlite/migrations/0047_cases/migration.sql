-- CreateTable
CREATE TABLE "Reporter" (
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "decided" INTEGER NOT NULL,
    "upheld" INTEGER NOT NULL,
    "unfounded" INTEGER NOT NULL,
    "recentUnfounded" INTEGER NOT NULL,
    "lastUnfoundedAt" DATETIME,
    "warnedAt" DATETIME,
    "suspendedUntil" DATETIME,
    "suspensions" INTEGER NOT NULL,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("projectId", "externalUserId"),
    CONSTRAINT "Reporter_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Case" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "openKey" TEXT,
    "status" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "categoryWeight" REAL NOT NULL,
    "externalUserId" TEXT,
    "roomId" TEXT,
    "reports" INTEGER NOT NULL,
    "reporters" INTEGER NOT NULL,
    "reviews" INTEGER NOT NULL,
    "weight" REAL NOT NULL,
    "brigaded" INTEGER NOT NULL,
    "rank" REAL NOT NULL,
    "escalatedTo" TEXT,
    "claimedByUserId" TEXT,
    "claimedAt" DATETIME,
    "claimExpiresAt" DATETIME,
    "proposal" TEXT,
    "proposedByUserId" TEXT,
    "decision" TEXT,
    "reasonCode" TEXT,
    "sanctionId" TEXT,
    "mergedIntoId" TEXT,
    "decidedByUserId" TEXT,
    "decidedAt" DATETIME,
    "note" TEXT,
    "dueAt" DATETIME NOT NULL,
    "missedAt" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Case_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "CaseReview" (
    "reviewId" TEXT NOT NULL PRIMARY KEY,
    "caseId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "decidedAt" DATETIME,
    CONSTRAINT "CaseReview_caseId_fkey" FOREIGN KEY ("caseId") REFERENCES "Case" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Report" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "externalUserId" TEXT,
    "roomId" TEXT,
    "reporterUserId" TEXT,
    "words" TEXT,
    "language" TEXT,
    "repeats" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "outcome" TEXT,
    "caseId" TEXT,
    "weight" REAL NOT NULL DEFAULT 1,
    "isBrigaded" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "decidedAt" DATETIME,
    CONSTRAINT "Report_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_Report" ("category", "createdAt", "decidedAt", "externalUserId", "id", "language", "outcome", "projectId", "repeats", "reporterUserId", "roomId", "source", "status", "tenantId", "updatedAt", "words") SELECT "category", "createdAt", "decidedAt", "externalUserId", "id", "language", "outcome", "projectId", "repeats", "reporterUserId", "roomId", "source", "status", "tenantId", "updatedAt", "words" FROM "Report";
DROP TABLE "Report";
ALTER TABLE "new_Report" RENAME TO "Report";
CREATE INDEX "Report_projectId_id_idx" ON "Report"("projectId", "id");
CREATE INDEX "Report_projectId_externalUserId_id_idx" ON "Report"("projectId", "externalUserId", "id");
CREATE INDEX "Report_projectId_reporterUserId_id_idx" ON "Report"("projectId", "reporterUserId", "id");
CREATE INDEX "Report_projectId_externalUserId_createdAt_idx" ON "Report"("projectId", "externalUserId", "createdAt");
CREATE INDEX "Report_caseId_id_idx" ON "Report"("caseId", "id");
CREATE INDEX "Report_decidedAt_idx" ON "Report"("decidedAt");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

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
