-- CreateTable
CREATE TABLE "Gathering" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "maxMembers" INTEGER NOT NULL,
    "memberCount" INTEGER NOT NULL,
    "accessPolicy" TEXT NOT NULL,
    "listed" BOOLEAN NOT NULL,
    "startsAt" DATETIME,
    "endsAt" DATETIME,
    "timezone" TEXT,
    "roomId" TEXT NOT NULL,
    "autoStartSession" BOOLEAN NOT NULL,
    "sessionId" TEXT,
    "joinCode" TEXT NOT NULL,
    "properties" TEXT,
    "searchProperties" TEXT,
    "ownerId" TEXT,
    "inviterName" TEXT,
    "inviterEmail" TEXT,
    "invitationUrl" TEXT,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "emptySince" DATETIME,
    "dueAt" DATETIME,
    CONSTRAINT "Gathering_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "GatheringSearchProperty" (
    "gatheringId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    PRIMARY KEY ("gatheringId", "key"),
    CONSTRAINT "GatheringSearchProperty_gatheringId_fkey" FOREIGN KEY ("gatheringId") REFERENCES "Gathering" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "GatheringMember" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "gatheringId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "participantId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "joinedAt" DATETIME,
    "leftAt" DATETIME,
    "readyAt" DATETIME,
    CONSTRAINT "GatheringMember_gatheringId_fkey" FOREIGN KEY ("gatheringId") REFERENCES "Gathering" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "GatheringInvitation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "gatheringId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "participantId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "respondedAt" DATETIME,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "GatheringInvitation_gatheringId_fkey" FOREIGN KEY ("gatheringId") REFERENCES "Gathering" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Gathering_projectId_id_idx" ON "Gathering"("projectId", "id");

-- CreateIndex
CREATE INDEX "Gathering_dueAt_id_idx" ON "Gathering"("dueAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Gathering_projectId_joinCode_key" ON "Gathering"("projectId", "joinCode");

-- CreateIndex
CREATE INDEX "GatheringSearchProperty_key_value_gatheringId_idx" ON "GatheringSearchProperty"("key", "value", "gatheringId");

-- CreateIndex
CREATE INDEX "GatheringMember_projectId_externalUserId_idx" ON "GatheringMember"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "GatheringMember_readyAt_id_idx" ON "GatheringMember"("readyAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "GatheringMember_gatheringId_participantId_key" ON "GatheringMember"("gatheringId", "participantId");

-- CreateIndex
CREATE INDEX "GatheringInvitation_gatheringId_participantId_id_idx" ON "GatheringInvitation"("gatheringId", "participantId", "id");

-- CreateIndex
CREATE INDEX "GatheringInvitation_projectId_participantId_status_idx" ON "GatheringInvitation"("projectId", "participantId", "status");

-- CreateIndex
CREATE INDEX "GatheringInvitation_projectId_externalUserId_idx" ON "GatheringInvitation"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "GatheringInvitation_status_expiresAt_id_idx" ON "GatheringInvitation"("status", "expiresAt", "id");
