-- CreateTable
CREATE TABLE "LoginCode" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "codeHash" TEXT NOT NULL,
    "triesLeft" INTEGER NOT NULL,
    "sentAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "LoginCode_expiresAt_idx" ON "LoginCode"("expiresAt");
