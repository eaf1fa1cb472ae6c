-- CreateTable
CREATE TABLE "ParticipantFormerId" (
    "projectId" TEXT NOT NULL,
    "participantId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "formerId" TEXT NOT NULL,
    "movedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ParticipantFormerId_pkey" PRIMARY KEY ("participantId","externalUserId")
);

-- CreateIndex
CREATE INDEX "ParticipantFormerId_projectId_externalUserId_idx" ON "ParticipantFormerId"("projectId", "externalUserId");

-- AddForeignKey
ALTER TABLE "ParticipantFormerId" ADD CONSTRAINT "ParticipantFormerId_participantId_fkey" FOREIGN KEY ("participantId") REFERENCES "Participant"("id") ON DELETE CASCADE ON UPDATE CASCADE;
