-- AlterTable
ALTER TABLE "Case" ADD COLUMN     "heldAt" TIMESTAMP(3),
ADD COLUMN     "heldByUserId" TEXT,
ADD COLUMN     "holdReason" TEXT;

-- CreateTable
CREATE TABLE "ErasureRequest" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "requestedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ErasureRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "HeldId" (
    "projectId" TEXT NOT NULL,
    "heldId" TEXT NOT NULL,
    "caseId" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "HeldId_pkey" PRIMARY KEY ("projectId","heldId","caseId")
);

-- CreateIndex
CREATE INDEX "ErasureRequest_projectId_externalUserId_idx" ON "ErasureRequest"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "HeldId_projectId_caseId_idx" ON "HeldId"("projectId", "caseId");

-- AddForeignKey
ALTER TABLE "ErasureRequest" ADD CONSTRAINT "ErasureRequest_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
