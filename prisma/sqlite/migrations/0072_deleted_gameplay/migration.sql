CREATE TABLE "GameplayDeletion" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "count" INTEGER NOT NULL,
    "objects" TEXT NOT NULL,
    CONSTRAINT "GameplayDeletion_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "GameplayDeletion_projectId_id_idx" ON "GameplayDeletion"("projectId", "id");
CREATE INDEX "GameplayDeletion_expiresAt_idx" ON "GameplayDeletion"("expiresAt");

-- Unlike a new table with the rows of the old one, this leaves the progress of players alone.
ALTER TABLE "ChallengeCategory" ADD COLUMN "deletionId" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Challenge" ADD COLUMN "deletionId" TEXT NOT NULL DEFAULT '';
ALTER TABLE "BattlePass" ADD COLUMN "deletionId" TEXT NOT NULL DEFAULT '';
ALTER TABLE "BattlePassLevel" ADD COLUMN "deletionId" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Leaderboard" ADD COLUMN "deletionId" TEXT NOT NULL DEFAULT '';

DROP INDEX "ChallengeCategory_projectId_slug_key";
DROP INDEX "Challenge_levelId_key_key";
DROP INDEX "BattlePass_projectId_key_key";
DROP INDEX "BattlePassLevel_battlePassId_key_key";
DROP INDEX "BattlePassLevel_battlePassId_position_key";
DROP INDEX "Leaderboard_projectId_key_key";
CREATE UNIQUE INDEX "ChallengeCategory_projectId_slug_deletionId_key" ON "ChallengeCategory"("projectId", "slug", "deletionId");
CREATE UNIQUE INDEX "Challenge_levelId_key_deletionId_key" ON "Challenge"("levelId", "key", "deletionId");
CREATE UNIQUE INDEX "BattlePass_projectId_key_deletionId_key" ON "BattlePass"("projectId", "key", "deletionId");
CREATE UNIQUE INDEX "BattlePassLevel_battlePassId_key_deletionId_key" ON "BattlePassLevel"("battlePassId", "key", "deletionId");
CREATE UNIQUE INDEX "BattlePassLevel_battlePassId_position_deletionId_key" ON "BattlePassLevel"("battlePassId", "position", "deletionId");
CREATE UNIQUE INDEX "Leaderboard_projectId_key_deletionId_key" ON "Leaderboard"("projectId", "key", "deletionId");
CREATE INDEX "ChallengeCategory_deletionId_idx" ON "ChallengeCategory"("deletionId");
CREATE INDEX "Challenge_deletionId_idx" ON "Challenge"("deletionId");
CREATE INDEX "BattlePass_deletionId_idx" ON "BattlePass"("deletionId");
CREATE INDEX "BattlePassLevel_deletionId_idx" ON "BattlePassLevel"("deletionId");
CREATE INDEX "Leaderboard_deletionId_idx" ON "Leaderboard"("deletionId");
