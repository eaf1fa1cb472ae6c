-- AlterTable
ALTER TABLE "ReportLine" ADD COLUMN "asrReport" TEXT;
