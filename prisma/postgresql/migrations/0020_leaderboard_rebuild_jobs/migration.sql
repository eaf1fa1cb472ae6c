-- AlterTable
ALTER TABLE "LeaderboardRebuild" ADD COLUMN     "failure" TEXT,
ADD COLUMN     "lease" TEXT,
ADD COLUMN     "leaseUntil" TIMESTAMP(3),
ADD COLUMN     "progress" DOUBLE PRECISION NOT NULL DEFAULT 1,
ADD COLUMN     "tenantId" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "turnAt" TIMESTAMP(3),
ADD COLUMN     "undoId" TEXT;

UPDATE "LeaderboardRebuild" AS r SET "turnAt" = r."createdAt", "tenantId" = p."tenantId"
  FROM "Leaderboard" AS l JOIN "Project" AS p ON p."id" = l."projectId" WHERE l."id" = r."leaderboardId";

ALTER TABLE "LeaderboardRebuild" ALTER COLUMN "progress" DROP DEFAULT,
ALTER COLUMN "tenantId" DROP DEFAULT,
ALTER COLUMN "turnAt" SET NOT NULL;

-- CreateIndex
CREATE INDEX "LeaderboardRebuild_status_turnAt_idx" ON "LeaderboardRebuild"("status", "turnAt");

-- CreateIndex
CREATE INDEX "LeaderboardRebuild_tenantId_status_idx" ON "LeaderboardRebuild"("tenantId", "status");

-- A tally that was counted by a request which nobody waits for any more.
UPDATE "LeaderboardTally" SET "role" = 'discarded' WHERE "role" = 'counting';
