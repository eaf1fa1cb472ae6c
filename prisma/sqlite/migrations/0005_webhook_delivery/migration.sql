-- AlterTable
ALTER TABLE "WebhookSubscription" ADD COLUMN "disabledReason" TEXT;
ALTER TABLE "WebhookSubscription" ADD COLUMN "previousSecret" TEXT;
ALTER TABLE "WebhookSubscription" ADD COLUMN "previousSecretUntil" DATETIME;

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
    "payload" TEXT NOT NULL,
    "subjectUserId" TEXT,
    "status" TEXT NOT NULL,
    "attemptsCount" INTEGER NOT NULL,
    "attemptsBefore" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "nextAttemptAt" DATETIME,
    "leaseOwner" TEXT,
    "replayPosition" BIGINT,
    "createdAt" DATETIME NOT NULL,
    "finishedAt" DATETIME,
    CONSTRAINT "WebhookEvent_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "WebhookSubscription" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_WebhookEvent" ("attemptsCount", "createdAt", "eventId", "eventType", "finishedAt", "id", "lastError", "leaseOwner", "nextAttemptAt", "payload", "projectId", "status", "subjectUserId", "subscriptionId", "tenantId") SELECT "attemptsCount", "createdAt", "eventId", "eventType", "finishedAt", "id", "lastError", "leaseOwner", "nextAttemptAt", "payload", "projectId", "status", "subjectUserId", "subscriptionId", "tenantId" FROM "WebhookEvent";
DROP TABLE "WebhookEvent";
ALTER TABLE "new_WebhookEvent" RENAME TO "WebhookEvent";
CREATE INDEX "WebhookEvent_projectId_id_idx" ON "WebhookEvent"("projectId", "id");
CREATE INDEX "WebhookEvent_queue_idx" ON "WebhookEvent"("subscriptionId", "status", "replayPosition", "nextAttemptAt", "id");
CREATE INDEX "WebhookEvent_projectId_subjectUserId_idx" ON "WebhookEvent"("projectId", "subjectUserId");
CREATE INDEX "WebhookEvent_eventId_idx" ON "WebhookEvent"("eventId");
CREATE INDEX "WebhookEvent_finishedAt_idx" ON "WebhookEvent"("finishedAt");
CREATE UNIQUE INDEX "WebhookEvent_subscriptionId_eventId_key" ON "WebhookEvent"("subscriptionId", "eventId");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
