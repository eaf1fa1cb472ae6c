-- AlterTable
ALTER TABLE "Rule" ADD COLUMN     "enabledAt" TIMESTAMP(3);
