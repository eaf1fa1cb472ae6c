-- AlterTable
ALTER TABLE "LeaderboardScore" ADD COLUMN     "exact" TEXT;

-- AlterTable
ALTER TABLE "LeaderboardShare" ADD COLUMN     "exact" TEXT;

-- AlterTable
ALTER TABLE "PlayerChallenge" ADD COLUMN     "exact" TEXT;
