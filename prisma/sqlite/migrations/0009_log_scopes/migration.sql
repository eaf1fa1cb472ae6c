-- AlterTable
ALTER TABLE "StreamHead" ADD COLUMN "storedAt" DATETIME;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_DomainEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "shard" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT,
    "resourceId" TEXT NOT NULL,
    "timestamp" DATETIME NOT NULL,
    "storedAt" DATETIME NOT NULL,
    "payload" TEXT NOT NULL,
    "subjectUserId" TEXT
);
-- Of older events it is known only that they were not stored later than now.
INSERT INTO "new_DomainEvent" ("id", "payload", "position", "projectId", "resourceId", "shard", "source", "subjectUserId", "tenantId", "timestamp", "storedAt", "type") SELECT "id", "payload", "position", "projectId", "resourceId", "shard", "source", "subjectUserId", "tenantId", "timestamp", min("timestamp", strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')), "type" FROM "DomainEvent";
DROP TABLE "DomainEvent";
ALTER TABLE "new_DomainEvent" RENAME TO "DomainEvent";
CREATE INDEX "DomainEvent_storedAt_position_idx" ON "DomainEvent"("storedAt", "position");
CREATE INDEX "DomainEvent_projectId_position_type_resourceId_idx" ON "DomainEvent"("projectId", "position", "type", "resourceId");
CREATE INDEX "DomainEvent_tenantId_position_projectId_type_resourceId_idx" ON "DomainEvent"("tenantId", "position", "projectId", "type", "resourceId");
CREATE INDEX "DomainEvent_projectId_subjectUserId_position_idx" ON "DomainEvent"("projectId", "subjectUserId", "position");
CREATE INDEX "DomainEvent_projectId_subjectUserId_resourceId_idx" ON "DomainEvent"("projectId", "subjectUserId", "resourceId");
CREATE UNIQUE INDEX "DomainEvent_shard_position_key" ON "DomainEvent"("shard", "position");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
