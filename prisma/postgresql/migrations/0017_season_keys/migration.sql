-- AlterTable
ALTER TABLE "BattlePass" ADD COLUMN     "key" TEXT;

-- AlterTable
ALTER TABLE "BattlePassLevel" ADD COLUMN     "key" TEXT;

-- AlterTable
ALTER TABLE "Challenge" ADD COLUMN     "key" TEXT;

-- AlterTable
ALTER TABLE "Leaderboard" ADD COLUMN     "key" TEXT;

-- CreateTable
CREATE TABLE "AppliedSeason" (
    "projectId" TEXT NOT NULL,
    "season" TEXT NOT NULL,
    "appliedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "AppliedSeason_pkey" PRIMARY KEY ("projectId")
);

-- CreateIndex
CREATE UNIQUE INDEX "BattlePass_projectId_key_key" ON "BattlePass"("projectId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "BattlePassLevel_battlePassId_key_key" ON "BattlePassLevel"("battlePassId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Challenge_levelId_key_key" ON "Challenge"("levelId", "key");

-- CreateIndex
CREATE UNIQUE INDEX "Leaderboard_projectId_key_key" ON "Leaderboard"("projectId", "key");

-- AddForeignKey
ALTER TABLE "AppliedSeason" ADD CONSTRAINT "AppliedSeason_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
