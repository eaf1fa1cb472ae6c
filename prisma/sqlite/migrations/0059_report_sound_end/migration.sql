-- DropIndex
DROP INDEX "ReportSound_decidedAt_idx";

-- AlterTable
ALTER TABLE "Report" ADD COLUMN "lastSeconds" INTEGER;

-- AlterTable
ALTER TABLE "ReportSound" ADD COLUMN "keptUntil" DATETIME;

-- CreateIndex
CREATE INDEX "ReportSound_keptUntil_idx" ON "ReportSound"("keptUntil");

UPDATE "ReportSound" SET "keptUntil" = strftime('%Y-%m-%dT%H:%M:%f+00:00', COALESCE("decidedAt", 'now'), '+30 days');
