-- CreateTable
CREATE TABLE "WebhookBacklog" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "end" BIGINT NOT NULL,
    CONSTRAINT "WebhookBacklog_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "WebhookSubscription" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "WebhookBacklog_tenantId_id_idx" ON "WebhookBacklog"("tenantId", "id");

-- CreateIndex
CREATE INDEX "WebhookBacklog_subscriptionId_idx" ON "WebhookBacklog"("subscriptionId");

-- CreateIndex
CREATE INDEX "WebhookBacklog_position_idx" ON "WebhookBacklog"("position");
