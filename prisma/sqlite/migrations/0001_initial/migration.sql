-- CreateTable
CREATE TABLE "Tenant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "disabledAt" DATETIME
);

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "passwordHash" TEXT,
    "tokensValidAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "disabledAt" DATETIME,
    CONSTRAINT "User_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RevokedToken" (
    "jti" TEXT NOT NULL PRIMARY KEY,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT,
    "name" TEXT NOT NULL,
    "keyPrefix" TEXT NOT NULL,
    "keyHash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "createdByUserId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "lastUsedAt" DATETIME,
    "revokedAt" DATETIME,
    CONSTRAINT "ApiKey_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "ApiKey_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "IdempotencyRecord" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "requestHash" TEXT NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "DataKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "masterKeyId" TEXT NOT NULL,
    "wrapped" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "retiredAt" DATETIME
);

-- CreateTable
CREATE TABLE "InstallationValue" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "ChallengeCategory" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "isDaily" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "ChallengeCategory_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Challenge" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "eventName" TEXT NOT NULL,
    "countProperty" TEXT,
    "metadataConditions" TEXT NOT NULL,
    "goal" BIGINT NOT NULL,
    "goalCondition" INTEGER NOT NULL,
    "durationMinutes" INTEGER,
    "repeatable" BOOLEAN NOT NULL,
    "autoActivated" BOOLEAN NOT NULL,
    "resetPeriod" TEXT,
    "reward" TEXT,
    "rewardType" TEXT,
    "xp" INTEGER,
    "price" INTEGER,
    "liveDate" DATETIME,
    "icon" TEXT,
    "iconHd" TEXT,
    "counting" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Challenge_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "Challenge_categoryId_fkey" FOREIGN KEY ("categoryId") REFERENCES "ChallengeCategory" ("id") ON DELETE NO ACTION ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "GameplayRevision" (
    "projectId" TEXT NOT NULL PRIMARY KEY,
    "revision" BIGINT NOT NULL,
    CONSTRAINT "GameplayRevision_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Player" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "username" TEXT,
    "avatarImage" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("projectId", "userId"),
    CONSTRAINT "Player_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PlayerChallenge" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "challengeId" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "sessionId" TEXT,
    "unlockedAt" DATETIME,
    "activatedAt" DATETIME,
    "endsAt" DATETIME,
    "periodEndsAt" DATETIME,
    "claimedAt" DATETIME,
    "dueAt" DATETIME,

    PRIMARY KEY ("projectId", "userId", "challengeId"),
    CONSTRAINT "PlayerChallenge_challengeId_fkey" FOREIGN KEY ("challengeId") REFERENCES "Challenge" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "GameEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "teamId" TEXT,
    "eventName" TEXT NOT NULL,
    "eventType" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "metaData" TEXT NOT NULL,
    "idempotencyKey" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "GameEvent_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Topic" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Topic_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "StreamHead" (
    "shard" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "position" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "DomainEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shard" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT,
    "resourceId" TEXT NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "payload" TEXT NOT NULL,
    "subjectUserId" TEXT
);

-- CreateTable
CREATE TABLE "Cursor" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "position" BIGINT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "IngestReceipt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "eventId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Participant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "displayName" TEXT NOT NULL,
    "searchKey" TEXT NOT NULL,
    "userData" TEXT NOT NULL,
    "joinedAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "Participant_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Sanction" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "participantId" TEXT,
    "externalUserId" TEXT,
    "sessionId" TEXT,
    "type" TEXT NOT NULL,
    "scope" TEXT,
    "metadata" TEXT,
    "parameters" TEXT,
    "evidence" TEXT,
    "reason" TEXT,
    "note" TEXT,
    "duration" INTEGER,
    "startAt" DATETIME NOT NULL,
    "endAt" DATETIME,
    "expiredAt" DATETIME,
    "createdByUserId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "revokedAt" DATETIME,
    "revokedByUserId" TEXT,
    "revokeReason" TEXT,
    CONSTRAINT "Sanction_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Project" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "billingProjectId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "deletedAt" DATETIME,
    CONSTRAINT "Project_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ProjectPermission" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "userId" TEXT,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "invitedByUserId" TEXT,
    "tokenHash" TEXT,
    "tokenExpiresAt" DATETIME,
    "invitedAt" DATETIME NOT NULL,
    "acceptedAt" DATETIME,
    CONSTRAINT "ProjectPermission_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ProjectPermission_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ProjectSettings" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "tokenProvider" TEXT NOT NULL,
    "tokenProviderSettings" TEXT NOT NULL,
    "botUserId" TEXT,
    "botUserData" TEXT,
    "debugAudioEnabled" BOOLEAN NOT NULL,
    "e2eEncryptionMode" TEXT NOT NULL,
    "e2eEncryptionPassword" TEXT,
    "transcriptRetentionDays" INTEGER,
    "secret" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "ProjectSettings_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "BillingAccount" (
    "billingProjectId" TEXT NOT NULL PRIMARY KEY,
    "secret" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalRoomId" TEXT NOT NULL,
    "gateway" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "status" TEXT NOT NULL,
    "idleTimeout" INTEGER NOT NULL,
    "endedAt" DATETIME,
    "activeRoom" TEXT,
    "botWanted" BOOLEAN NOT NULL,
    "botState" TEXT NOT NULL,
    "botCause" TEXT,
    "botSince" DATETIME NOT NULL,
    "botCounters" TEXT NOT NULL,
    CONSTRAINT "Session_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Message" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "senderName" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "participantId" TEXT,
    "externalUserId" TEXT,
    "origin" TEXT,
    "startMs" INTEGER,
    "endMs" INTEGER,
    "language" TEXT,
    "status" TEXT,
    "asrEngine" TEXT,
    "asrQuality" TEXT,
    "shadowMuted" BOOLEAN NOT NULL,
    "audioFile" TEXT,
    "audioExpiresAt" DATETIME,
    CONSTRAINT "Message_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "RoomTokenUse" (
    "jti" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "roomId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "joinedAt" DATETIME,
    "revokedAt" DATETIME,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "RoomTokenUse_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "WebhookSubscription" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT NOT NULL,
    "description" TEXT,
    "secret" TEXT NOT NULL,
    "authType" TEXT NOT NULL,
    "authSecret" TEXT,
    "apiKeyHeader" TEXT,
    "basicAuthUsername" TEXT,
    "customHeaders" TEXT,
    "payloadFormat" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "disabledAt" DATETIME,
    "failingSince" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "WebhookSubscription_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "WebhookEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "eventType" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "subjectUserId" TEXT,
    "status" TEXT NOT NULL,
    "attemptsCount" INTEGER NOT NULL,
    "lastError" TEXT,
    "nextAttemptAt" DATETIME,
    "leaseOwner" TEXT,
    "leaseUntil" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "finishedAt" DATETIME,
    CONSTRAINT "WebhookEvent_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "WebhookSubscription" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "WebhookAttempt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "webhookEventId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "statusCode" INTEGER,
    "error" TEXT,
    "responseSnippet" TEXT,
    CONSTRAINT "WebhookAttempt_webhookEventId_fkey" FOREIGN KEY ("webhookEventId") REFERENCES "WebhookEvent" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE INDEX "User_tenantId_id_idx" ON "User"("tenantId", "id");

-- CreateIndex
CREATE INDEX "RevokedToken_expiresAt_idx" ON "RevokedToken"("expiresAt");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_keyHash_key" ON "ApiKey"("keyHash");

-- CreateIndex
CREATE INDEX "ApiKey_tenantId_id_idx" ON "ApiKey"("tenantId", "id");

-- CreateIndex
CREATE INDEX "IdempotencyRecord_expiresAt_idx" ON "IdempotencyRecord"("expiresAt");

-- CreateIndex
CREATE INDEX "ChallengeCategory_projectId_position_id_idx" ON "ChallengeCategory"("projectId", "position", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ChallengeCategory_projectId_slug_key" ON "ChallengeCategory"("projectId", "slug");

-- CreateIndex
CREATE INDEX "Challenge_projectId_id_idx" ON "Challenge"("projectId", "id");

-- CreateIndex
CREATE INDEX "Challenge_categoryId_idx" ON "Challenge"("categoryId");

-- CreateIndex
CREATE INDEX "PlayerChallenge_challengeId_idx" ON "PlayerChallenge"("challengeId");

-- CreateIndex
CREATE INDEX "PlayerChallenge_dueAt_idx" ON "PlayerChallenge"("dueAt");

-- CreateIndex
CREATE INDEX "GameEvent_projectId_userId_id_idx" ON "GameEvent"("projectId", "userId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "GameEvent_projectId_idempotencyKey_key" ON "GameEvent"("projectId", "idempotencyKey");

-- CreateIndex
CREATE UNIQUE INDEX "Topic_projectId_userId_subject_key" ON "Topic"("projectId", "userId", "subject");

-- CreateIndex
CREATE INDEX "DomainEvent_timestamp_idx" ON "DomainEvent"("timestamp");

-- CreateIndex
CREATE INDEX "DomainEvent_projectId_subjectUserId_idx" ON "DomainEvent"("projectId", "subjectUserId");

-- CreateIndex
CREATE UNIQUE INDEX "DomainEvent_shard_position_key" ON "DomainEvent"("shard", "position");

-- CreateIndex
CREATE INDEX "IngestReceipt_createdAt_idx" ON "IngestReceipt"("createdAt");

-- CreateIndex
CREATE INDEX "Participant_projectId_id_idx" ON "Participant"("projectId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Participant_projectId_externalUserId_key" ON "Participant"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "Sanction_projectId_id_idx" ON "Sanction"("projectId", "id");

-- CreateIndex
CREATE INDEX "Sanction_projectId_externalUserId_id_idx" ON "Sanction"("projectId", "externalUserId", "id");

-- CreateIndex
CREATE INDEX "Sanction_projectId_participantId_id_idx" ON "Sanction"("projectId", "participantId", "id");

-- CreateIndex
CREATE INDEX "Sanction_endAt_id_idx" ON "Sanction"("endAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "Project_billingProjectId_key" ON "Project"("billingProjectId");

-- CreateIndex
CREATE UNIQUE INDEX "Project_tenantId_name_key" ON "Project"("tenantId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "ProjectPermission_tokenHash_key" ON "ProjectPermission"("tokenHash");

-- CreateIndex
CREATE INDEX "ProjectPermission_userId_idx" ON "ProjectPermission"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "ProjectPermission_projectId_email_key" ON "ProjectPermission"("projectId", "email");

-- CreateIndex
CREATE UNIQUE INDEX "ProjectSettings_projectId_key" ON "ProjectSettings"("projectId");

-- CreateIndex
CREATE UNIQUE INDEX "Session_activeRoom_key" ON "Session"("activeRoom");

-- CreateIndex
CREATE INDEX "Session_projectId_id_idx" ON "Session"("projectId", "id");

-- CreateIndex
CREATE INDEX "Session_botWanted_idx" ON "Session"("botWanted");

-- CreateIndex
CREATE INDEX "Message_sessionId_id_idx" ON "Message"("sessionId", "id");

-- CreateIndex
CREATE INDEX "Message_projectId_externalUserId_idx" ON "Message"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "Message_audioExpiresAt_idx" ON "Message"("audioExpiresAt");

-- CreateIndex
CREATE INDEX "RoomTokenUse_projectId_externalUserId_idx" ON "RoomTokenUse"("projectId", "externalUserId");

-- CreateIndex
CREATE INDEX "RoomTokenUse_expiresAt_idx" ON "RoomTokenUse"("expiresAt");

-- CreateIndex
CREATE INDEX "WebhookSubscription_projectId_id_idx" ON "WebhookSubscription"("projectId", "id");

-- CreateIndex
CREATE INDEX "WebhookEvent_projectId_id_idx" ON "WebhookEvent"("projectId", "id");

-- CreateIndex
CREATE INDEX "WebhookEvent_status_nextAttemptAt_id_idx" ON "WebhookEvent"("status", "nextAttemptAt", "id");

-- CreateIndex
CREATE INDEX "WebhookEvent_projectId_subjectUserId_idx" ON "WebhookEvent"("projectId", "subjectUserId");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookEvent_subscriptionId_eventId_key" ON "WebhookEvent"("subscriptionId", "eventId");

-- CreateIndex
CREATE INDEX "WebhookAttempt_webhookEventId_id_idx" ON "WebhookAttempt"("webhookEventId", "id");
