-- AlterTable
ALTER TABLE "GameEvent" ADD COLUMN "occurredAt" DATETIME;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Leaderboard" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "key" TEXT,
    "name" TEXT NOT NULL,
    "eventName" TEXT NOT NULL,
    "countProperty" TEXT,
    "aggregate" TEXT NOT NULL,
    "sortOrder" TEXT NOT NULL,
    "metadataConditions" TEXT NOT NULL,
    "startDate" DATETIME,
    "endDate" DATETIME,
    "resetPeriod" TEXT,
    "lateMinutes" INTEGER NOT NULL DEFAULT 0,
    "lateEvents" TEXT NOT NULL DEFAULT 'now',
    "currentPeriodId" TEXT NOT NULL,
    "deletionId" TEXT NOT NULL DEFAULT '',
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Leaderboard_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_Leaderboard" ("aggregate", "countProperty", "createdAt", "currentPeriodId", "deletionId", "endDate", "eventName", "id", "key", "metadataConditions", "name", "projectId", "resetPeriod", "sortOrder", "startDate", "updatedAt") SELECT "aggregate", "countProperty", "createdAt", "currentPeriodId", "deletionId", "endDate", "eventName", "id", "key", "metadataConditions", "name", "projectId", "resetPeriod", "sortOrder", "startDate", "updatedAt" FROM "Leaderboard";
DROP TABLE "Leaderboard";
ALTER TABLE "new_Leaderboard" RENAME TO "Leaderboard";
CREATE INDEX "Leaderboard_projectId_id_idx" ON "Leaderboard"("projectId", "id");
CREATE INDEX "Leaderboard_deletionId_idx" ON "Leaderboard"("deletionId");
CREATE UNIQUE INDEX "Leaderboard_projectId_key_deletionId_key" ON "Leaderboard"("projectId", "key", "deletionId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
