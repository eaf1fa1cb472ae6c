-- AlterTable
ALTER TABLE "GameEvent" ADD COLUMN "origin" TEXT;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_LeaderboardExclusion" (
    "leaderboardId" TEXT NOT NULL,
    "memberType" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "origin" TEXT NOT NULL DEFAULT '',
    "excluded" BOOLEAN NOT NULL,
    "before" DATETIME,

    PRIMARY KEY ("leaderboardId", "memberType", "memberId", "origin"),
    CONSTRAINT "LeaderboardExclusion_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_LeaderboardExclusion" ("before", "excluded", "leaderboardId", "memberId", "memberType") SELECT "before", "excluded", "leaderboardId", "memberId", "memberType" FROM "LeaderboardExclusion";
DROP TABLE "LeaderboardExclusion";
ALTER TABLE "new_LeaderboardExclusion" RENAME TO "LeaderboardExclusion";
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
