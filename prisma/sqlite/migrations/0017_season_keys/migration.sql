-- AlterTable
ALTER TABLE "BattlePass" ADD COLUMN "key" TEXT;

-- AlterTable
ALTER TABLE "BattlePassLevel" ADD COLUMN "key" TEXT;

-- AlterTable
ALTER TABLE "Challenge" ADD COLUMN "key" TEXT;

-- AlterTable
ALTER TABLE "Leaderboard" ADD COLUMN "key" TEXT;

-- CreateTable
CREATE TABLE "AppliedSeason" (
    "projectId" TEXT NOT NULL PRIMARY KEY,
    "season" TEXT NOT NULL,
    "appliedAt" DATETIME NOT NULL,
    CONSTRAINT "AppliedSeason_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "BattlePass_projectId_key_key" ON "BattlePass"("projectId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "BattlePassLevel_battlePassId_key_key" ON "BattlePassLevel"("battlePassId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Challenge_levelId_key_key" ON "Challenge"("levelId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Leaderboard_projectId_key_key" ON "Leaderboard"("projectId", "key");
