-- CreateTable
CREATE TABLE "BattlePass" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "shortDescription" TEXT,
    "disclaimer" TEXT,
    "startDate" DATETIME,
    "endDate" DATETIME,
    "expiredAt" DATETIME,
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
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "BattlePass_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "BattlePassLevel" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "battlePassId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "rewardAmount" TEXT,
    "rewardType" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "BattlePassLevel_battlePassId_fkey" FOREIGN KEY ("battlePassId") REFERENCES "BattlePass" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PlayerBattlePass" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "battlePassId" TEXT NOT NULL,
    "purchaseId" TEXT NOT NULL,
    "purchasePrice" REAL,
    "purchaseCurrency" TEXT,
    "unlockedAt" DATETIME NOT NULL,

    PRIMARY KEY ("projectId", "userId", "battlePassId"),
    CONSTRAINT "PlayerBattlePass_battlePassId_fkey" FOREIGN KEY ("battlePassId") REFERENCES "BattlePass" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PlayerBattlePassLevel" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "levelId" TEXT NOT NULL,
    "battlePassId" TEXT NOT NULL,
    "activatedAt" DATETIME NOT NULL,
    "completedAt" DATETIME,
    "claimedAt" DATETIME,

    PRIMARY KEY ("projectId", "userId", "levelId"),
    CONSTRAINT "PlayerBattlePassLevel_levelId_fkey" FOREIGN KEY ("levelId") REFERENCES "BattlePassLevel" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Challenge" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "categoryId" TEXT,
    "levelId" TEXT,
    "levelPosition" INTEGER,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "eventName" TEXT NOT NULL,
    "countProperty" TEXT,
    "metadataConditions" TEXT NOT NULL,
    "goal" BIGINT NOT NULL,
    "goalCondition" INTEGER NOT NULL,
    "durationMinutes" INTEGER,
    "repeatable" BOOLEAN NOT NULL,
    "autoActivated" BOOLEAN NOT NULL,
    "resetPeriod" TEXT,
    "reward" TEXT,
    "rewardType" TEXT,
    "xp" INTEGER,
    "price" INTEGER,
    "liveDate" DATETIME,
    "icon" TEXT,
    "iconHd" TEXT,
    "counting" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Challenge_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Challenge_categoryId_fkey" FOREIGN KEY ("categoryId") REFERENCES "ChallengeCategory" ("id") ON DELETE NO ACTION ON UPDATE CASCADE,
    CONSTRAINT "Challenge_levelId_fkey" FOREIGN KEY ("levelId") REFERENCES "BattlePassLevel" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_Challenge" ("autoActivated", "categoryId", "countProperty", "counting", "createdAt", "description", "durationMinutes", "eventName", "goal", "goalCondition", "icon", "iconHd", "id", "liveDate", "metadataConditions", "name", "price", "projectId", "repeatable", "resetPeriod", "reward", "rewardType", "updatedAt", "xp") SELECT "autoActivated", "categoryId", "countProperty", "counting", "createdAt", "description", "durationMinutes", "eventName", "goal", "goalCondition", "icon", "iconHd", "id", "liveDate", "metadataConditions", "name", "price", "projectId", "repeatable", "resetPeriod", "reward", "rewardType", "updatedAt", "xp" FROM "Challenge";
DROP TABLE "Challenge";
ALTER TABLE "new_Challenge" RENAME TO "Challenge";
CREATE INDEX "Challenge_projectId_id_idx" ON "Challenge"("projectId", "id");
CREATE INDEX "Challenge_categoryId_idx" ON "Challenge"("categoryId");
CREATE INDEX "Challenge_levelId_idx" ON "Challenge"("levelId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

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
