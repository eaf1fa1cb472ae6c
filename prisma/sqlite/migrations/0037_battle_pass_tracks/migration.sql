-- AlterTable
ALTER TABLE "BattlePassLevel" ADD COLUMN "premiumRewardAmount" TEXT;
ALTER TABLE "BattlePassLevel" ADD COLUMN "premiumRewardType" TEXT NOT NULL DEFAULT 'nothing';

-- AlterTable
ALTER TABLE "PlayerBattlePass" ADD COLUMN "premiumAt" DATETIME;

-- AlterTable
ALTER TABLE "PlayerBattlePassLevel" ADD COLUMN "premiumClaimedAt" DATETIME;

-- Whoever paid for a pass has premium in it.
UPDATE "PlayerBattlePass" SET "premiumAt" = "unlockedAt" WHERE "purchasePrice" > 0;
