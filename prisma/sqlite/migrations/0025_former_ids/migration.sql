-- CreateTable
CREATE TABLE "ParticipantFormerId" (
    "projectId" TEXT NOT NULL,
    "participantId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "formerId" TEXT NOT NULL,
    "movedAt" DATETIME NOT NULL,

    PRIMARY KEY ("participantId", "externalUserId"),
    CONSTRAINT "ParticipantFormerId_participantId_fkey" FOREIGN KEY ("participantId") REFERENCES "Participant" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "ParticipantFormerId_projectId_externalUserId_idx" ON "ParticipantFormerId"("projectId", "externalUserId");
