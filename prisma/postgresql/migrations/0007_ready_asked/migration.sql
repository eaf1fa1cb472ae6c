-- AlterTable
ALTER TABLE "GatheringMember" ADD COLUMN     "readyAskedAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "GatheringMember_readyAskedAt_id_idx" ON "GatheringMember"("readyAskedAt", "id");
