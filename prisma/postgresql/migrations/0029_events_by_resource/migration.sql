-- DropIndex
DROP INDEX "DomainEvent_projectId_subjectUserId_resourceId_idx";

-- CreateIndex
CREATE INDEX "DomainEvent_projectId_resourceId_position_idx" ON "DomainEvent"("projectId", "resourceId", "position");
