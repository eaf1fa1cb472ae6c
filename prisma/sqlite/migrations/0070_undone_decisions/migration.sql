-- AlterTable
ALTER TABLE "RuleDecision" ADD COLUMN "undoneAt" DATETIME;
