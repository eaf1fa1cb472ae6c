-- AlterTable
ALTER TABLE "IdempotencyRecord" ADD COLUMN "projectId" TEXT;

-- CreateIndex
CREATE INDEX "IdempotencyRecord_projectId_idx" ON "IdempotencyRecord"("projectId");
