-- AlterTable
ALTER TABLE "BattlePass" ADD COLUMN "lateMinutes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "PlayerChallenge" ADD COLUMN "otherRounds" TEXT;
