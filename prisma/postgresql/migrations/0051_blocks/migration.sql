-- AlterTable
ALTER TABLE "Case" ADD COLUMN     "blockers" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "PlayerBlock" (
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "blockedUserId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PlayerBlock_pkey" PRIMARY KEY ("projectId","externalUserId","blockedUserId")
);

-- CreateIndex
CREATE INDEX "PlayerBlock_projectId_blockedUserId_externalUserId_idx" ON "PlayerBlock"("projectId", "blockedUserId", "externalUserId");

-- AddForeignKey
ALTER TABLE "PlayerBlock" ADD CONSTRAINT "PlayerBlock_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
