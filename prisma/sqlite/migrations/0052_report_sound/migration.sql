-- CreateTable
CREATE TABLE "ReportSound" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "reportId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "sealed" TEXT NOT NULL,
    "decidedAt" DATETIME,
    CONSTRAINT "ReportSound_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ReportSound_reportId_externalUserId_idx" ON "ReportSound"("reportId", "externalUserId");

-- CreateIndex
CREATE INDEX "ReportSound_projectId_externalUserId_idx" ON "ReportSound"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "ReportSound_decidedAt_idx" ON "ReportSound"("decidedAt");
