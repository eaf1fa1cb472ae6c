-- CreateTable
CREATE TABLE "Leaderboard" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "eventName" TEXT NOT NULL,
    "countProperty" TEXT,
    "aggregate" TEXT NOT NULL,
    "sortOrder" TEXT NOT NULL,
    "metadataConditions" TEXT NOT NULL,
    "startDate" DATETIME,
    "endDate" DATETIME,
    "resetPeriod" TEXT,
    "currentPeriodId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Leaderboard_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LeaderboardPeriod" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "leaderboardId" TEXT NOT NULL,
    "tallyId" TEXT NOT NULL,
    "startsAt" DATETIME NOT NULL,
    "endsAt" DATETIME,
    "complete" BOOLEAN NOT NULL,
    CONSTRAINT "LeaderboardPeriod_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LeaderboardTally" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "leaderboardId" TEXT NOT NULL,
    "periodId" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "rules" TEXT NOT NULL,
    "countedTo" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "LeaderboardTally_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LeaderboardScore" (
    "tallyId" TEXT NOT NULL,
    "memberType" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "sortKey" BIGINT NOT NULL,
    "reachedId" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    PRIMARY KEY ("tallyId", "memberType", "memberId")
);

-- CreateTable
CREATE TABLE "LeaderboardShare" (
    "tallyId" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "score" BIGINT NOT NULL,
    "reachedId" TEXT NOT NULL,

    PRIMARY KEY ("tallyId", "teamId", "userId")
);

-- CreateTable
CREATE TABLE "LeaderboardExclusion" (
    "leaderboardId" TEXT NOT NULL,
    "memberType" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "excluded" BOOLEAN NOT NULL,
    "before" DATETIME,

    PRIMARY KEY ("leaderboardId", "memberType", "memberId"),
    CONSTRAINT "LeaderboardExclusion_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "LeaderboardRebuild" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "leaderboardId" TEXT NOT NULL,
    "periodId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "excluded" TEXT NOT NULL,
    "excludedOld" TEXT NOT NULL,
    "rebuiltId" TEXT NOT NULL,
    "events" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "changes" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "appliedAt" DATETIME,
    "undoneAt" DATETIME,
    CONSTRAINT "LeaderboardRebuild_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Leaderboard_projectId_id_idx" ON "Leaderboard"("projectId", "id");

-- CreateIndex
CREATE INDEX "LeaderboardPeriod_leaderboardId_id_idx" ON "LeaderboardPeriod"("leaderboardId", "id");

-- CreateIndex
CREATE INDEX "LeaderboardTally_periodId_role_idx" ON "LeaderboardTally"("periodId", "role");

-- CreateIndex
CREATE INDEX "LeaderboardTally_leaderboardId_idx" ON "LeaderboardTally"("leaderboardId");

-- CreateIndex
CREATE INDEX "LeaderboardTally_role_idx" ON "LeaderboardTally"("role");

-- CreateIndex
CREATE INDEX "LeaderboardScore_tallyId_memberType_sortKey_reachedId_idx" ON "LeaderboardScore"("tallyId", "memberType", "sortKey", "reachedId");

-- CreateIndex
CREATE INDEX "LeaderboardScore_tallyId_version_idx" ON "LeaderboardScore"("tallyId", "version");

-- CreateIndex
CREATE INDEX "LeaderboardShare_userId_idx" ON "LeaderboardShare"("userId");

-- CreateIndex
CREATE INDEX "LeaderboardRebuild_leaderboardId_id_idx" ON "LeaderboardRebuild"("leaderboardId", "id");
