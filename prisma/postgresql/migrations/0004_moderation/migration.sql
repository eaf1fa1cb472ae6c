-- DropIndex
DROP INDEX "Sanction_endAt_id_idx";

-- DropIndex
DROP INDEX "Sanction_startAt_id_idx";

-- AlterTable
ALTER TABLE "Sanction" ADD COLUMN     "batchId" TEXT,
ADD COLUMN     "batchLine" INTEGER,
ADD COLUMN     "begunAt" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "ParticipantNote" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "participantId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ParticipantNote_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SanctionBatch" (
    "projectId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "undoneAt" TIMESTAMP(3),
    "undoneByUserId" TEXT,

    CONSTRAINT "SanctionBatch_pkey" PRIMARY KEY ("projectId","id")
);

-- CreateTable
CREATE TABLE "SanctionTemplate" (
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SanctionTemplate_pkey" PRIMARY KEY ("projectId","name")
);

-- CreateTable
CREATE TABLE "ErasedBan" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "personHash" TEXT NOT NULL,
    "sessionId" TEXT,
    "type" TEXT NOT NULL,
    "startAt" TIMESTAMP(3) NOT NULL,
    "endAt" TIMESTAMP(3),

    CONSTRAINT "ErasedBan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Review" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "sanctionId" TEXT NOT NULL,
    "participantId" TEXT,
    "externalUserId" TEXT,
    "statement" TEXT,
    "createdByUserId" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "claimedByUserId" TEXT,
    "claimedAt" TIMESTAMP(3),
    "decidedByUserId" TEXT,
    "decidedAt" TIMESTAMP(3),
    "decision" TEXT,
    "note" TEXT,

    CONSTRAINT "Review_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "ParticipantNote" ADD CONSTRAINT "ParticipantNote_participantId_fkey" FOREIGN KEY ("participantId") REFERENCES "Participant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SanctionBatch" ADD CONSTRAINT "SanctionBatch_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SanctionTemplate" ADD CONSTRAINT "SanctionTemplate_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ErasedBan" ADD CONSTRAINT "ErasedBan_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Review" ADD CONSTRAINT "Review_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
