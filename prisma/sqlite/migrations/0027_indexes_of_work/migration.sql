-- DropIndex
DROP INDEX "WebhookEvent_finishedAt_idx";

-- DropIndex
DROP INDEX "WebhookPayload_projectId_subjectUserId_idx";

-- CreateIndex
CREATE INDEX "RoomKey_emptySince_idx" ON "RoomKey"("emptySince");

-- CreateIndex
CREATE INDEX "WebhookEvent_finishedAt_subscriptionId_idx" ON "WebhookEvent"("finishedAt", "subscriptionId");

-- CreateIndex
CREATE INDEX "WebhookPayload_projectId_subjectUserId_eventId_idx" ON "WebhookPayload"("projectId", "subjectUserId", "eventId");
