-- CreateTable
CREATE TABLE "ReportSpan" (
    "id" TEXT NOT NULL,
    "reportId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "roomId" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,
    "keptUntil" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ReportSpan_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ReportSpan_reportId_idx" ON "ReportSpan"("reportId");

-- CreateIndex
CREATE INDEX "ReportSpan_projectId_roomId_until_idx" ON "ReportSpan"("projectId", "roomId", "until");

-- CreateIndex
CREATE INDEX "ReportSpan_keptUntil_idx" ON "ReportSpan"("keptUntil");

-- AddForeignKey
ALTER TABLE "ReportSpan" ADD CONSTRAINT "ReportSpan_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report"("id") ON DELETE CASCADE ON UPDATE CASCADE;
