-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_LeaderboardRebuild" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "leaderboardId" TEXT NOT NULL,
    "periodId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "failure" TEXT,
    "progress" REAL NOT NULL,
    "lease" TEXT,
    "leaseUntil" DATETIME,
    "turnAt" DATETIME NOT NULL,
    "excluded" TEXT NOT NULL,
    "excludedOld" TEXT NOT NULL,
    "rebuiltId" TEXT NOT NULL,
    "undoId" TEXT,
    "events" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "changes" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "appliedAt" DATETIME,
    "undoneAt" DATETIME,
    CONSTRAINT "LeaderboardRebuild_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_LeaderboardRebuild" ("appliedAt", "changed", "changes", "createdAt", "events", "excluded", "excludedOld", "id", "leaderboardId", "periodId", "rebuiltId", "status", "undoneAt", "tenantId", "progress", "turnAt") SELECT "appliedAt", "changed", "changes", "createdAt", "events", "excluded", "excludedOld", "id", "leaderboardId", "periodId", "rebuiltId", "status", "undoneAt", (SELECT p."tenantId" FROM "Leaderboard" AS l JOIN "Project" AS p ON p."id" = l."projectId" WHERE l."id" = "LeaderboardRebuild"."leaderboardId"), 1, "createdAt" FROM "LeaderboardRebuild";
DROP TABLE "LeaderboardRebuild";
ALTER TABLE "new_LeaderboardRebuild" RENAME TO "LeaderboardRebuild";
CREATE INDEX "LeaderboardRebuild_leaderboardId_id_idx" ON "LeaderboardRebuild"("leaderboardId", "id");
CREATE INDEX "LeaderboardRebuild_status_turnAt_idx" ON "LeaderboardRebuild"("status", "turnAt");
CREATE INDEX "LeaderboardRebuild_tenantId_status_idx" ON "LeaderboardRebuild"("tenantId", "status");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
-- A tally that was counted by a request which nobody waits for any more.
UPDATE "LeaderboardTally" SET "role" = 'discarded' WHERE "role" = 'counting';
