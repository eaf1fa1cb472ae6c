-- CreateTable
CREATE TABLE "Leaderboard" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "eventName" TEXT NOT NULL,
    "countProperty" TEXT,
    "aggregate" TEXT NOT NULL,
    "sortOrder" TEXT NOT NULL,
    "metadataConditions" TEXT NOT NULL,
    "startDate" TIMESTAMP(3),
    "endDate" TIMESTAMP(3),
    "resetPeriod" TEXT,
    "currentPeriodId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Leaderboard_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LeaderboardPeriod" (
    "id" TEXT NOT NULL,
    "leaderboardId" TEXT NOT NULL,
    "tallyId" TEXT NOT NULL,
    "startsAt" TIMESTAMP(3) NOT NULL,
    "endsAt" TIMESTAMP(3),
    "complete" BOOLEAN NOT NULL,

    CONSTRAINT "LeaderboardPeriod_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LeaderboardTally" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "leaderboardId" TEXT NOT NULL,
    "periodId" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "rules" TEXT NOT NULL,
    "countedTo" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "LeaderboardTally_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "LeaderboardScore" (
    "tallyId" TEXT NOT NULL,
    "memberType" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "sortKey" BIGINT NOT NULL,
    "reachedId" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "LeaderboardScore_pkey" PRIMARY KEY ("tallyId","memberType","memberId")
);

-- CreateTable
CREATE TABLE "LeaderboardShare" (
    "tallyId" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "score" BIGINT NOT NULL,
    "reachedId" TEXT NOT NULL,

    CONSTRAINT "LeaderboardShare_pkey" PRIMARY KEY ("tallyId","teamId","userId")
);

-- CreateTable
CREATE TABLE "LeaderboardExclusion" (
    "leaderboardId" TEXT NOT NULL,
    "memberType" TEXT NOT NULL,
    "memberId" TEXT NOT NULL,
    "excluded" BOOLEAN NOT NULL,
    "before" TIMESTAMP(3),

    CONSTRAINT "LeaderboardExclusion_pkey" PRIMARY KEY ("leaderboardId","memberType","memberId")
);

-- CreateTable
CREATE TABLE "LeaderboardRebuild" (
    "id" TEXT NOT NULL,
    "leaderboardId" TEXT NOT NULL,
    "periodId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "excluded" TEXT NOT NULL,
    "excludedOld" TEXT NOT NULL,
    "rebuiltId" TEXT NOT NULL,
    "events" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "changes" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "appliedAt" TIMESTAMP(3),
    "undoneAt" TIMESTAMP(3),

    CONSTRAINT "LeaderboardRebuild_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "Leaderboard" ADD CONSTRAINT "Leaderboard_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LeaderboardPeriod" ADD CONSTRAINT "LeaderboardPeriod_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LeaderboardTally" ADD CONSTRAINT "LeaderboardTally_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LeaderboardExclusion" ADD CONSTRAINT "LeaderboardExclusion_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LeaderboardRebuild" ADD CONSTRAINT "LeaderboardRebuild_leaderboardId_fkey" FOREIGN KEY ("leaderboardId") REFERENCES "Leaderboard"("id") ON DELETE CASCADE ON UPDATE CASCADE;
