-- CreateTable
CREATE TABLE "ReportSpan" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "reportId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "roomId" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "until" DATETIME NOT NULL,
    "keptUntil" DATETIME NOT NULL,
    CONSTRAINT "ReportSpan_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ReportSpan_reportId_idx" ON "ReportSpan"("reportId");

-- CreateIndex
CREATE INDEX "ReportSpan_projectId_roomId_until_idx" ON "ReportSpan"("projectId", "roomId", "until");

-- CreateIndex
CREATE INDEX "ReportSpan_keptUntil_idx" ON "ReportSpan"("keptUntil");
