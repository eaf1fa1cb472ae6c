-- AlterTable
ALTER TABLE "Cursor" ADD COLUMN "tenantId" TEXT;

-- CreateTable
CREATE TABLE "InstalledPlugin" (
    "slug" TEXT NOT NULL PRIMARY KEY,
    "manifest" TEXT NOT NULL,
    "code" TEXT,
    "secret" TEXT,
    "installedAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "PluginInstance" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "pluginSlug" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "settings" TEXT NOT NULL,
    "secrets" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "PluginInstance_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PluginAction" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "instanceId" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "eventType" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "sessionId" TEXT,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "dueAt" DATETIME,
    "leaseOwner" TEXT,
    "subjectUserId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "finishedAt" DATETIME,
    "durationMs" INTEGER,
    "error" TEXT,
    "result" TEXT,
    CONSTRAINT "PluginAction_instanceId_fkey" FOREIGN KEY ("instanceId") REFERENCES "PluginInstance" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "PluginAnnotation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "projectId" TEXT NOT NULL,
    "sessionId" TEXT NOT NULL,
    "messageId" TEXT,
    "pluginSlug" TEXT NOT NULL,
    "actionId" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "participantId" TEXT,
    "externalUserId" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "PluginAnnotation_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "PluginAnnotation_messageId_fkey" FOREIGN KEY ("messageId") REFERENCES "Message" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "PluginInstance_projectId_pluginSlug_key" ON "PluginInstance"("projectId", "pluginSlug");

-- CreateIndex
CREATE INDEX "PluginAction_instanceId_dueAt_id_idx" ON "PluginAction"("instanceId", "dueAt", "id");

-- CreateIndex
CREATE INDEX "PluginAction_projectId_sessionId_id_idx" ON "PluginAction"("projectId", "sessionId", "id");

-- CreateIndex
CREATE INDEX "PluginAction_projectId_subjectUserId_idx" ON "PluginAction"("projectId", "subjectUserId");

-- CreateIndex
CREATE INDEX "PluginAction_finishedAt_idx" ON "PluginAction"("finishedAt");

-- CreateIndex
CREATE UNIQUE INDEX "PluginAction_instanceId_eventId_version_key" ON "PluginAction"("instanceId", "eventId", "version");

-- CreateIndex
CREATE INDEX "PluginAnnotation_messageId_idx" ON "PluginAnnotation"("messageId");

-- CreateIndex
CREATE INDEX "PluginAnnotation_sessionId_messageId_id_idx" ON "PluginAnnotation"("sessionId", "messageId", "id");

-- CreateIndex
CREATE INDEX "PluginAnnotation_projectId_createdAt_idx" ON "PluginAnnotation"("projectId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "PluginAnnotation_actionId_ordinal_key" ON "PluginAnnotation"("actionId", "ordinal");
