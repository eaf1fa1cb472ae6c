-- AlterTable
ALTER TABLE "RuleDecision" ADD COLUMN     "undoneAt" TIMESTAMP(3);
