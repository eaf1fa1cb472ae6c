-- AlterTable
ALTER TABLE "GatheringMember" ADD COLUMN "readyAskedAt" DATETIME;

-- CreateIndex
CREATE INDEX "GatheringMember_readyAskedAt_id_idx" ON "GatheringMember"("readyAskedAt", "id");
