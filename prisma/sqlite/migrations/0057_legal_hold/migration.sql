-- AlterTable
ALTER TABLE "Case" ADD COLUMN "heldAt" DATETIME;
ALTER TABLE "Case" ADD COLUMN "heldByUserId" TEXT;
ALTER TABLE "Case" ADD COLUMN "holdReason" TEXT;

-- CreateTable
CREATE TABLE "ErasureRequest" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "requestedAt" DATETIME NOT NULL,
    CONSTRAINT "ErasureRequest_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "HeldId" (
    "projectId" TEXT NOT NULL,
    "heldId" TEXT NOT NULL,
    "caseId" TEXT NOT NULL,
    "since" DATETIME NOT NULL,

    PRIMARY KEY ("projectId", "heldId", "caseId")
);

-- CreateIndex
CREATE INDEX "ErasureRequest_projectId_externalUserId_idx" ON "ErasureRequest"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "HeldId_projectId_caseId_idx" ON "HeldId"("projectId", "caseId");
