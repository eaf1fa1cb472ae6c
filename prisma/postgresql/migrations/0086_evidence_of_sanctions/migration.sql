-- CreateTable
CREATE TABLE "KeptId" (
    "projectId" TEXT NOT NULL,
    "keptId" TEXT NOT NULL,
    "sanctionId" TEXT NOT NULL,
    "checkAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "KeptId_pkey" PRIMARY KEY ("projectId","keptId","sanctionId")
);

-- CreateIndex
CREATE INDEX "KeptId_checkAt_idx" ON "KeptId"("checkAt");

-- CreateIndex
CREATE INDEX "KeptId_sanctionId_idx" ON "KeptId"("sanctionId");

-- What earlier versions decided; whether an appeal is possible is looked at once the daemon runs.
INSERT INTO "KeptId" ("projectId", "keptId", "sanctionId", "checkAt")
SELECT "projectId", "id", "sanctionId", "decidedAt" FROM "Case" WHERE "sanctionId" IS NOT NULL AND "decidedAt" IS NOT NULL;
