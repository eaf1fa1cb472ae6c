-- AlterTable
ALTER TABLE "Case" ADD COLUMN "blockers" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "PlayerBlock" (
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "blockedUserId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("projectId", "externalUserId", "blockedUserId"),
    CONSTRAINT "PlayerBlock_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "PlayerBlock_projectId_blockedUserId_externalUserId_idx" ON "PlayerBlock"("projectId", "blockedUserId", "externalUserId");
