-- AlterTable
ALTER TABLE "Challenge" ADD COLUMN "lateMinutes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "PlayerChallenge" ADD COLUMN "lateMinutes" INTEGER NOT NULL DEFAULT 0;
