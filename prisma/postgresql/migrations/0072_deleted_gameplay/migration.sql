-- DropIndex
DROP INDEX "BattlePass_projectId_key_key";

-- DropIndex
DROP INDEX "BattlePassLevel_battlePassId_key_key";

-- DropIndex
DROP INDEX "BattlePassLevel_battlePassId_position_key";

-- DropIndex
DROP INDEX "Challenge_levelId_key_key";

-- DropIndex
DROP INDEX "ChallengeCategory_projectId_slug_key";

-- DropIndex
DROP INDEX "Leaderboard_projectId_key_key";

-- AlterTable
ALTER TABLE "BattlePass" ADD COLUMN     "deletionId" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "BattlePassLevel" ADD COLUMN     "deletionId" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Challenge" ADD COLUMN     "deletionId" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "ChallengeCategory" ADD COLUMN     "deletionId" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "Leaderboard" ADD COLUMN     "deletionId" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "GameplayDeletion" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "count" INTEGER NOT NULL,
    "objects" TEXT NOT NULL,

    CONSTRAINT "GameplayDeletion_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "GameplayDeletion_projectId_id_idx" ON "GameplayDeletion"("projectId", "id");

-- CreateIndex
CREATE INDEX "GameplayDeletion_expiresAt_idx" ON "GameplayDeletion"("expiresAt");

-- CreateIndex
CREATE INDEX "BattlePass_deletionId_idx" ON "BattlePass"("deletionId");

-- CreateIndex
CREATE UNIQUE INDEX "BattlePass_projectId_key_deletionId_key" ON "BattlePass"("projectId", "key", "deletionId");

-- CreateIndex
CREATE INDEX "BattlePassLevel_deletionId_idx" ON "BattlePassLevel"("deletionId");

-- CreateIndex
CREATE UNIQUE INDEX "BattlePassLevel_battlePassId_key_deletionId_key" ON "BattlePassLevel"("battlePassId", "key", "deletionId");

-- CreateIndex
CREATE UNIQUE INDEX "BattlePassLevel_battlePassId_position_deletionId_key" ON "BattlePassLevel"("battlePassId", "position", "deletionId");

-- CreateIndex
CREATE INDEX "Challenge_deletionId_idx" ON "Challenge"("deletionId");

-- CreateIndex
CREATE UNIQUE INDEX "Challenge_levelId_key_deletionId_key" ON "Challenge"("levelId", "key", "deletionId");

-- CreateIndex
CREATE INDEX "ChallengeCategory_deletionId_idx" ON "ChallengeCategory"("deletionId");

-- CreateIndex
CREATE UNIQUE INDEX "ChallengeCategory_projectId_slug_deletionId_key" ON "ChallengeCategory"("projectId", "slug", "deletionId");

-- CreateIndex
CREATE INDEX "Leaderboard_deletionId_idx" ON "Leaderboard"("deletionId");

-- CreateIndex
CREATE UNIQUE INDEX "Leaderboard_projectId_key_deletionId_key" ON "Leaderboard"("projectId", "key", "deletionId");

-- AddForeignKey
ALTER TABLE "GameplayDeletion" ADD CONSTRAINT "GameplayDeletion_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
