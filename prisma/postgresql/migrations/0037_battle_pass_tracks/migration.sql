-- AlterTable
ALTER TABLE "BattlePassLevel" ADD COLUMN     "premiumRewardAmount" TEXT,
ADD COLUMN     "premiumRewardType" TEXT NOT NULL DEFAULT 'nothing';

-- AlterTable
ALTER TABLE "PlayerBattlePass" ADD COLUMN     "premiumAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "PlayerBattlePassLevel" ADD COLUMN     "premiumClaimedAt" TIMESTAMP(3);

-- Whoever paid for a pass has premium in it.
UPDATE "PlayerBattlePass" SET "premiumAt" = "unlockedAt" WHERE "purchasePrice" > 0;
