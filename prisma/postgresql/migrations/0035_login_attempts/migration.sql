-- CreateTable
CREATE TABLE "LoginFailures" (
    "key" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "endsAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "LoginFailures_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "LoginNetwork" (
    "account" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "seenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "LoginNetwork_pkey" PRIMARY KEY ("account","network")
);

-- CreateIndex
CREATE INDEX "LoginFailures_endsAt_idx" ON "LoginFailures"("endsAt");

-- CreateIndex
CREATE INDEX "LoginNetwork_seenAt_idx" ON "LoginNetwork"("seenAt");
