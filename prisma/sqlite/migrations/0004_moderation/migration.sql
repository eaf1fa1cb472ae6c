-- DropIndex
DROP INDEX "Sanction_startAt_id_idx";

-- DropIndex
DROP INDEX "Sanction_endAt_id_idx";

-- AlterTable
ALTER TABLE "Sanction" ADD COLUMN "batchId" TEXT;
ALTER TABLE "Sanction" ADD COLUMN "batchLine" INTEGER;
ALTER TABLE "Sanction" ADD COLUMN "begunAt" DATETIME;

-- CreateTable
CREATE TABLE "ParticipantNote" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "participantId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "ParticipantNote_participantId_fkey" FOREIGN KEY ("participantId") REFERENCES "Participant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "SanctionBatch" (
    "projectId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "undoneAt" DATETIME,
    "undoneByUserId" TEXT,

    PRIMARY KEY ("projectId", "id"),
    CONSTRAINT "SanctionBatch_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "SanctionTemplate" (
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("projectId", "name"),
    CONSTRAINT "SanctionTemplate_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ErasedBan" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "personHash" TEXT NOT NULL,
    "sessionId" TEXT,
    "type" TEXT NOT NULL,
    "startAt" DATETIME NOT NULL,
    "endAt" DATETIME,
    CONSTRAINT "ErasedBan_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Review" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "sanctionId" TEXT NOT NULL,
    "participantId" TEXT,
    "externalUserId" TEXT,
    "statement" TEXT,
    "createdByUserId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "claimedByUserId" TEXT,
    "claimedAt" DATETIME,
    "decidedByUserId" TEXT,
    "decidedAt" DATETIME,
    "decision" TEXT,
    "note" TEXT,
    CONSTRAINT "Review_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ParticipantNote_participantId_id_idx" ON "ParticipantNote"("participantId", "id");

-- CreateIndex
CREATE INDEX "ErasedBan_projectId_personHash_idx" ON "ErasedBan"("projectId", "personHash");

-- CreateIndex
CREATE INDEX "ErasedBan_endAt_idx" ON "ErasedBan"("endAt");

-- CreateIndex
CREATE INDEX "Review_projectId_id_idx" ON "Review"("projectId", "id");

-- CreateIndex
CREATE INDEX "Review_projectId_status_id_idx" ON "Review"("projectId", "status", "id");

-- CreateIndex
CREATE INDEX "Review_projectId_externalUserId_id_idx" ON "Review"("projectId", "externalUserId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Review_sanctionId_kind_key" ON "Review"("sanctionId", "kind");

-- CreateIndex
CREATE INDEX "Sanction_sessionId_idx" ON "Sanction"("sessionId");

-- CreateIndex
CREATE INDEX "Sanction_begunAt_startAt_idx" ON "Sanction"("begunAt", "startAt");

-- CreateIndex
CREATE INDEX "Sanction_expiredAt_endAt_idx" ON "Sanction"("expiredAt", "endAt");

-- CreateIndex
CREATE UNIQUE INDEX "Sanction_projectId_batchId_batchLine_key" ON "Sanction"("projectId", "batchId", "batchLine");
