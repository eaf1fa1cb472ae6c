-- DropIndex
DROP INDEX "DomainEvent_projectId_subjectUserId_idx";

-- CreateIndex
CREATE INDEX "DomainEvent_projectId_subjectUserId_resourceId_idx" ON "DomainEvent"("projectId", "subjectUserId", "resourceId");

-- CreateIndex
CREATE INDEX "Message_projectId_timestamp_idx" ON "Message"("projectId", "timestamp");
