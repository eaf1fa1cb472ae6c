-- CreateTable
CREATE TABLE "LoginFailures" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "failures" INTEGER NOT NULL,
    "endsAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "LoginNetwork" (
    "account" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "seenAt" DATETIME NOT NULL,

    PRIMARY KEY ("account", "network")
);

-- CreateIndex
CREATE INDEX "LoginFailures_endsAt_idx" ON "LoginFailures"("endsAt");

-- CreateIndex
CREATE INDEX "LoginNetwork_seenAt_idx" ON "LoginNetwork"("seenAt");
