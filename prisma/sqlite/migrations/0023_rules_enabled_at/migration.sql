-- AlterTable
ALTER TABLE "Rule" ADD COLUMN "enabledAt" DATETIME;
