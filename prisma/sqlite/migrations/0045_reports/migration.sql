-- CreateTable
CREATE TABLE "Report" (
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
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "decidedAt" DATETIME,
    CONSTRAINT "Report_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReportLine" (
    "reportId" TEXT NOT NULL,
    "messageId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT,
    "senderName" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "saidAt" DATETIME NOT NULL,
    "isNamed" BOOLEAN NOT NULL,

    PRIMARY KEY ("reportId", "messageId"),
    CONSTRAINT "ReportLine_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ReportSettings" (
    "projectId" TEXT NOT NULL PRIMARY KEY,
    "settings" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "ReportSettings_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Report_projectId_id_idx" ON "Report"("projectId", "id");

-- CreateIndex
CREATE INDEX "Report_projectId_externalUserId_id_idx" ON "Report"("projectId", "externalUserId", "id");

-- CreateIndex
CREATE INDEX "Report_projectId_reporterUserId_id_idx" ON "Report"("projectId", "reporterUserId", "id");

-- CreateIndex
CREATE INDEX "Report_decidedAt_idx" ON "Report"("decidedAt");

-- CreateIndex
CREATE INDEX "ReportLine_projectId_externalUserId_idx" ON "ReportLine"("projectId", "externalUserId");
