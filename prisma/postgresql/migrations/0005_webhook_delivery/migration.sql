-- DropIndex
DROP INDEX "WebhookEvent_status_nextAttemptAt_id_idx";

-- AlterTable
ALTER TABLE "WebhookEvent" DROP COLUMN "leaseUntil",
ADD COLUMN     "attemptsBefore" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "replayPosition" BIGINT;

-- AlterTable
ALTER TABLE "WebhookSubscription" ADD COLUMN     "disabledReason" TEXT,
ADD COLUMN     "previousSecret" TEXT,
ADD COLUMN     "previousSecretUntil" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "WebhookEvent_queue_idx" ON "WebhookEvent"("subscriptionId", "status", "replayPosition", "nextAttemptAt", "id");

-- CreateIndex
CREATE INDEX "WebhookEvent_eventId_idx" ON "WebhookEvent"("eventId");

-- CreateIndex
CREATE INDEX "WebhookEvent_finishedAt_idx" ON "WebhookEvent"("finishedAt");
