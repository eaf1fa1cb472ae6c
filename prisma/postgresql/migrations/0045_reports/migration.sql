-- CreateTable
CREATE TABLE "Report" (
    "id" TEXT NOT NULL,
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
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "decidedAt" TIMESTAMP(3),

    CONSTRAINT "Report_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReportLine" (
    "reportId" TEXT NOT NULL,
    "messageId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT,
    "senderName" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "saidAt" TIMESTAMP(3) NOT NULL,
    "isNamed" BOOLEAN NOT NULL,

    CONSTRAINT "ReportLine_pkey" PRIMARY KEY ("reportId","messageId")
);

-- CreateTable
CREATE TABLE "ReportSettings" (
    "projectId" TEXT NOT NULL,
    "settings" TEXT NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ReportSettings_pkey" PRIMARY KEY ("projectId")
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

-- AddForeignKey
ALTER TABLE "Report" ADD CONSTRAINT "Report_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReportLine" ADD CONSTRAINT "ReportLine_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ReportSettings" ADD CONSTRAINT "ReportSettings_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
