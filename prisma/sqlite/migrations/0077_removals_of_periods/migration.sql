-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_LeaderboardExclusion" (
    "leaderboardId" TEXT NOT NULL,
    "memberType" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "origin" TEXT NOT NULL DEFAULT '',
    "periodId" TEXT NOT NULL DEFAULT '',
    "excluded" BOOLEAN NOT NULL,
    "before" DATETIME,

    PRIMARY KEY ("leaderboardId", "memberType", "memberId", "origin", "periodId"),
    CONSTRAINT "LeaderboardExclusion_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_LeaderboardExclusion" ("excluded", "leaderboardId", "memberId", "memberType", "origin") SELECT "excluded", "leaderboardId", "memberId", "memberType", "origin" FROM "LeaderboardExclusion" WHERE "excluded";
-- Until here a removal was about every period. It is one of the period that ran when it was made, in a row of its own.
INSERT INTO "new_LeaderboardExclusion" ("leaderboardId", "memberType", "memberId", "origin", "periodId", "excluded", "before")
  SELECT e."leaderboardId", e."memberType", e."memberId", e."origin", COALESCE(
    (SELECT p."id" FROM "LeaderboardPeriod" AS p WHERE p."leaderboardId" = e."leaderboardId" AND p."startsAt" < e."before" ORDER BY p."id" DESC LIMIT 1),
    (SELECT l."currentPeriodId" FROM "Leaderboard" AS l WHERE l."id" = e."leaderboardId")), FALSE, e."before"
  FROM "LeaderboardExclusion" AS e WHERE e."before" IS NOT NULL;
DROP TABLE "LeaderboardExclusion";
ALTER TABLE "new_LeaderboardExclusion" RENAME TO "LeaderboardExclusion";
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
