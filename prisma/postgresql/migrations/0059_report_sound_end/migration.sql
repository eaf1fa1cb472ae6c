-- DropIndex
DROP INDEX "ReportSound_decidedAt_idx";

-- AlterTable
ALTER TABLE "Report" ADD COLUMN     "lastSeconds" INTEGER;

-- AlterTable
ALTER TABLE "ReportSound" ADD COLUMN     "keptUntil" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "ReportSound_keptUntil_idx" ON "ReportSound"("keptUntil");

UPDATE "ReportSound" SET "keptUntil" = COALESCE("decidedAt", now() AT TIME ZONE 'UTC') + INTERVAL '30 days';
