-- AlterTable
ALTER TABLE "LeaderboardExclusion" DROP CONSTRAINT "LeaderboardExclusion_pkey",
ADD COLUMN     "periodId" TEXT NOT NULL DEFAULT '',
ADD CONSTRAINT "LeaderboardExclusion_pkey" PRIMARY KEY ("leaderboardId", "memberType", "memberId", "origin", "periodId");

-- Until here a removal was about every period. It is one of the period that ran when it was made, in a row of its own.
INSERT INTO "LeaderboardExclusion" ("leaderboardId", "memberType", "memberId", "origin", "periodId", "excluded", "before")
  SELECT e."leaderboardId", e."memberType", e."memberId", e."origin", COALESCE(
    (SELECT p."id" FROM "LeaderboardPeriod" AS p WHERE p."leaderboardId" = e."leaderboardId" AND p."startsAt" < e."before" ORDER BY p."id" DESC LIMIT 1),
    (SELECT l."currentPeriodId" FROM "Leaderboard" AS l WHERE l."id" = e."leaderboardId")), FALSE, e."before"
  FROM "LeaderboardExclusion" AS e WHERE e."before" IS NOT NULL;
DELETE FROM "LeaderboardExclusion" WHERE "periodId" = '' AND NOT "excluded";
UPDATE "LeaderboardExclusion" SET "before" = NULL WHERE "periodId" = '' AND "before" IS NOT NULL;
