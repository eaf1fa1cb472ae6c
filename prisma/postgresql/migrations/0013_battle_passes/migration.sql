-- AlterTable
ALTER TABLE "Challenge" ADD COLUMN     "levelId" TEXT,
ADD COLUMN     "levelPosition" INTEGER,
ALTER COLUMN "categoryId" DROP NOT NULL;

-- CreateTable
CREATE TABLE "BattlePass" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "shortDescription" TEXT,
    "disclaimer" TEXT,
    "startDate" TIMESTAMP(3),
    "endDate" TIMESTAMP(3),
    "expiredAt" TIMESTAMP(3),
    "isUnlockedIncrementally" BOOLEAN NOT NULL,
    "priority" INTEGER NOT NULL,
    "imageXs" TEXT,
    "imageS" TEXT,
    "imageM" TEXT,
    "imageL" TEXT,
    "imageXl" TEXT,
    "packageSkuIos" TEXT,
    "packageSkuAndroid" TEXT,
    "readMoreLink" TEXT,
    "canPurchaseWithMoney" BOOLEAN NOT NULL,
    "canPurchaseWithCoins" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BattlePass_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BattlePassLevel" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "battlePassId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "rewardAmount" TEXT,
    "rewardType" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "BattlePassLevel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PlayerBattlePass" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "battlePassId" TEXT NOT NULL,
    "purchaseId" TEXT NOT NULL,
    "purchasePrice" DOUBLE PRECISION,
    "purchaseCurrency" TEXT,
    "unlockedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PlayerBattlePass_pkey" PRIMARY KEY ("projectId","userId","battlePassId")
);

-- CreateTable
CREATE TABLE "PlayerBattlePassLevel" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "levelId" TEXT NOT NULL,
    "battlePassId" TEXT NOT NULL,
    "activatedAt" TIMESTAMP(3) NOT NULL,
    "completedAt" TIMESTAMP(3),
    "claimedAt" TIMESTAMP(3),

    CONSTRAINT "PlayerBattlePassLevel_pkey" PRIMARY KEY ("projectId","userId","levelId")
);

-- CreateIndex
CREATE INDEX "BattlePass_projectId_id_idx" ON "BattlePass"("projectId", "id");

-- CreateIndex
CREATE INDEX "BattlePass_expiredAt_endDate_idx" ON "BattlePass"("expiredAt", "endDate");

-- CreateIndex
CREATE INDEX "BattlePassLevel_projectId_id_idx" ON "BattlePassLevel"("projectId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "BattlePassLevel_battlePassId_position_key" ON "BattlePassLevel"("battlePassId", "position");

-- CreateIndex
CREATE INDEX "PlayerBattlePass_battlePassId_idx" ON "PlayerBattlePass"("battlePassId");

-- CreateIndex
CREATE INDEX "PlayerBattlePassLevel_levelId_idx" ON "PlayerBattlePassLevel"("levelId");

-- CreateIndex
CREATE INDEX "Challenge_levelId_idx" ON "Challenge"("levelId");

-- AddForeignKey
ALTER TABLE "BattlePass" ADD CONSTRAINT "BattlePass_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BattlePassLevel" ADD CONSTRAINT "BattlePassLevel_battlePassId_fkey" FOREIGN KEY ("battlePassId") REFERENCES "BattlePass"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PlayerBattlePass" ADD CONSTRAINT "PlayerBattlePass_battlePassId_fkey" FOREIGN KEY ("battlePassId") REFERENCES "BattlePass"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PlayerBattlePassLevel" ADD CONSTRAINT "PlayerBattlePassLevel_levelId_fkey" FOREIGN KEY ("levelId") REFERENCES "BattlePassLevel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Challenge" ADD CONSTRAINT "Challenge_levelId_fkey" FOREIGN KEY ("levelId") REFERENCES "BattlePassLevel"("id") ON DELETE CASCADE ON UPDATE CASCADE;
