-- AlterTable
ALTER TABLE "GameEvent" ADD COLUMN     "origin" TEXT;

-- AlterTable
ALTER TABLE "LeaderboardExclusion" DROP CONSTRAINT "LeaderboardExclusion_pkey",
ADD COLUMN     "origin" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "LeaderboardExclusion_pkey" PRIMARY KEY ("leaderboardId", "memberType", "memberId", "origin");
