-- CreateTable
CREATE TABLE "ReportSound" (
    "id" TEXT NOT NULL,
    "reportId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "sealed" TEXT NOT NULL,
    "decidedAt" TIMESTAMP(3),

    CONSTRAINT "ReportSound_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ReportSound_reportId_externalUserId_idx" ON "ReportSound"("reportId", "externalUserId");

-- CreateIndex
CREATE INDEX "ReportSound_projectId_externalUserId_idx" ON "ReportSound"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "ReportSound_decidedAt_idx" ON "ReportSound"("decidedAt");

-- AddForeignKey
ALTER TABLE "ReportSound" ADD CONSTRAINT "ReportSound_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report"("id") ON DELETE CASCADE ON UPDATE CASCADE;
