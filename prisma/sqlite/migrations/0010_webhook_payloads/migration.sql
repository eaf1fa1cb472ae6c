-- CreateTable
CREATE TABLE "WebhookPayload" (
    "eventId" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "subjectUserId" TEXT,
    "redactedAt" DATETIME
);

-- What was stored with each delivery of an event is the same for all of them.
INSERT INTO "WebhookPayload" ("eventId", "projectId", "payload", "subjectUserId")
  SELECT "eventId", "projectId", "payload", "subjectUserId" FROM "WebhookEvent" WHERE "id" IN
    (SELECT MIN("id") FROM "WebhookEvent" GROUP BY "eventId");

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_WebhookEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "eventType" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attemptsCount" INTEGER NOT NULL,
    "attemptsBefore" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "nextAttemptAt" DATETIME,
    "leaseOwner" TEXT,
    "replayPosition" BIGINT,
    "createdAt" DATETIME NOT NULL,
    "finishedAt" DATETIME,
    CONSTRAINT "WebhookEvent_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "WebhookSubscription" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "WebhookEvent_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "WebhookPayload" ("eventId") ON DELETE NO ACTION ON UPDATE NO ACTION
);
INSERT INTO "new_WebhookEvent" ("attemptsBefore", "attemptsCount", "createdAt", "eventId", "eventType", "finishedAt", "id", "lastError", "leaseOwner", "nextAttemptAt", "projectId", "replayPosition", "status", "subscriptionId", "tenantId") SELECT "attemptsBefore", "attemptsCount", "createdAt", "eventId", "eventType", "finishedAt", "id", "lastError", "leaseOwner", "nextAttemptAt", "projectId", "replayPosition", "status", "subscriptionId", "tenantId" FROM "WebhookEvent";
DROP TABLE "WebhookEvent";
ALTER TABLE "new_WebhookEvent" RENAME TO "WebhookEvent";
CREATE INDEX "WebhookEvent_projectId_id_idx" ON "WebhookEvent"("projectId", "id");
CREATE INDEX "WebhookEvent_queue_idx" ON "WebhookEvent"("subscriptionId", "status", "replayPosition", "nextAttemptAt", "id");
CREATE INDEX "WebhookEvent_eventId_idx" ON "WebhookEvent"("eventId");
CREATE INDEX "WebhookEvent_finishedAt_idx" ON "WebhookEvent"("finishedAt");
CREATE UNIQUE INDEX "WebhookEvent_subscriptionId_eventId_key" ON "WebhookEvent"("subscriptionId", "eventId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;

-- CreateIndex
CREATE INDEX "WebhookPayload_projectId_subjectUserId_idx" ON "WebhookPayload"("projectId", "subjectUserId");
