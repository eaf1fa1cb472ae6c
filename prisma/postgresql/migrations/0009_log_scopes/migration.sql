-- DropIndex
DROP INDEX "DomainEvent_timestamp_idx";

-- AlterTable: of older events it is known only that they were not stored later than now
ALTER TABLE "DomainEvent" ADD COLUMN     "storedAt" TIMESTAMP(3);
UPDATE "DomainEvent" SET "storedAt" = LEAST("timestamp", now() AT TIME ZONE 'UTC');
ALTER TABLE "DomainEvent" ALTER COLUMN "storedAt" SET NOT NULL;

-- AlterTable
ALTER TABLE "StreamHead" ADD COLUMN     "storedAt" TIMESTAMP(3);

-- CreateIndex
CREATE INDEX "DomainEvent_storedAt_position_idx" ON "DomainEvent"("storedAt", "position");

-- CreateIndex
CREATE INDEX "DomainEvent_projectId_position_type_resourceId_idx" ON "DomainEvent"("projectId", "position", "type", "resourceId");

-- CreateIndex
CREATE INDEX "DomainEvent_tenantId_position_projectId_type_resourceId_idx" ON "DomainEvent"("tenantId", "position", "projectId", "type", "resourceId");

-- CreateIndex
CREATE INDEX "DomainEvent_projectId_subjectUserId_position_idx" ON "DomainEvent"("projectId", "subjectUserId", "position");
