-- CreateTable
CREATE TABLE "Gathering" (
    "id" TEXT NOT NULL,
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
    "startsAt" TIMESTAMP(3),
    "endsAt" TIMESTAMP(3),
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
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "emptySince" TIMESTAMP(3),
    "dueAt" TIMESTAMP(3),

    CONSTRAINT "Gathering_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GatheringSearchProperty" (
    "gatheringId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "GatheringSearchProperty_pkey" PRIMARY KEY ("gatheringId","key")
);

-- CreateTable
CREATE TABLE "GatheringMember" (
    "id" TEXT NOT NULL,
    "gatheringId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "participantId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "joinedAt" TIMESTAMP(3),
    "leftAt" TIMESTAMP(3),
    "readyAt" TIMESTAMP(3),

    CONSTRAINT "GatheringMember_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "GatheringInvitation" (
    "id" TEXT NOT NULL,
    "gatheringId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "participantId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "respondedAt" TIMESTAMP(3),
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "GatheringInvitation_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "Gathering" ADD CONSTRAINT "Gathering_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GatheringSearchProperty" ADD CONSTRAINT "GatheringSearchProperty_gatheringId_fkey" FOREIGN KEY ("gatheringId") REFERENCES "Gathering"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GatheringMember" ADD CONSTRAINT "GatheringMember_gatheringId_fkey" FOREIGN KEY ("gatheringId") REFERENCES "Gathering"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "GatheringInvitation" ADD CONSTRAINT "GatheringInvitation_gatheringId_fkey" FOREIGN KEY ("gatheringId") REFERENCES "Gathering"("id") ON DELETE CASCADE ON UPDATE CASCADE;
