-- Milliseconds and seconds that nothing limits are declared with 64 bits, as on PostgreSQL.
-- Message is the largest table of an installation. Its columns are renamed and new ones stand beside them, which changes
-- the catalogue alone: a change of type, or a copy of the values, would write every line of every transcript again, with
-- its indexes, while nobody can use the daemon. Lines of before keep their values in the renamed columns, and take them
-- along when their time of keeping ends.
ALTER TABLE "Message" RENAME COLUMN "startMs" TO "startMs32";
ALTER TABLE "Message" RENAME COLUMN "endMs" TO "endMs32";
ALTER TABLE "Message" ADD COLUMN "startMs" BIGINT;
ALTER TABLE "Message" ADD COLUMN "endMs" BIGINT;

-- Sanctions and the sound of reports are few: these tables are written again.
-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_ReportSound" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "reportId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "durationMs" BIGINT NOT NULL,
    "sealed" TEXT NOT NULL,
    "decidedAt" DATETIME,
    "keptUntil" DATETIME,
    CONSTRAINT "ReportSound_reportId_fkey" FOREIGN KEY ("reportId") REFERENCES "Report" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_ReportSound" ("decidedAt", "durationMs", "externalUserId", "id", "keptUntil", "projectId", "reportId", "sealed", "startedAt") SELECT "decidedAt", "durationMs", "externalUserId", "id", "keptUntil", "projectId", "reportId", "sealed", "startedAt" FROM "ReportSound";
DROP TABLE "ReportSound";
ALTER TABLE "new_ReportSound" RENAME TO "ReportSound";
CREATE INDEX "ReportSound_reportId_externalUserId_idx" ON "ReportSound"("reportId", "externalUserId");
CREATE INDEX "ReportSound_projectId_externalUserId_idx" ON "ReportSound"("projectId", "externalUserId");
CREATE INDEX "ReportSound_keptUntil_idx" ON "ReportSound"("keptUntil");
CREATE TABLE "new_Sanction" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "participantId" TEXT,
    "externalUserId" TEXT,
    "sessionId" TEXT,
    "type" TEXT NOT NULL,
    "scope" TEXT,
    "metadata" TEXT,
    "parameters" TEXT,
    "evidence" TEXT,
    "basis" TEXT,
    "reason" TEXT,
    "note" TEXT,
    "duration" BIGINT,
    "startAt" DATETIME NOT NULL,
    "begunAt" DATETIME,
    "endAt" DATETIME,
    "expiredAt" DATETIME,
    "createdByUserId" TEXT,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "revokedAt" DATETIME,
    "revokedByUserId" TEXT,
    "revokeReason" TEXT,
    "changedByUserIds" TEXT,
    "batchId" TEXT,
    "batchLine" INTEGER,
    CONSTRAINT "Sanction_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_Sanction" ("basis", "batchId", "batchLine", "begunAt", "changedByUserIds", "createdAt", "createdByUserId", "duration", "endAt", "evidence", "expiredAt", "externalUserId", "id", "metadata", "note", "parameters", "participantId", "projectId", "reason", "revokeReason", "revokedAt", "revokedByUserId", "scope", "sessionId", "startAt", "tenantId", "type", "updatedAt") SELECT "basis", "batchId", "batchLine", "begunAt", "changedByUserIds", "createdAt", "createdByUserId", "duration", "endAt", "evidence", "expiredAt", "externalUserId", "id", "metadata", "note", "parameters", "participantId", "projectId", "reason", "revokeReason", "revokedAt", "revokedByUserId", "scope", "sessionId", "startAt", "tenantId", "type", "updatedAt" FROM "Sanction";
DROP TABLE "Sanction";
ALTER TABLE "new_Sanction" RENAME TO "Sanction";
CREATE INDEX "Sanction_projectId_id_idx" ON "Sanction"("projectId", "id");
CREATE INDEX "Sanction_projectId_externalUserId_id_idx" ON "Sanction"("projectId", "externalUserId", "id");
CREATE INDEX "Sanction_projectId_participantId_id_idx" ON "Sanction"("projectId", "participantId", "id");
CREATE INDEX "Sanction_projectId_type_revokedAt_expiredAt_idx" ON "Sanction"("projectId", "type", "revokedAt", "expiredAt");
CREATE INDEX "Sanction_sessionId_idx" ON "Sanction"("sessionId");
CREATE INDEX "Sanction_begunAt_startAt_idx" ON "Sanction"("begunAt", "startAt");
CREATE INDEX "Sanction_expiredAt_endAt_idx" ON "Sanction"("expiredAt", "endAt");
CREATE UNIQUE INDEX "Sanction_projectId_batchId_batchLine_key" ON "Sanction"("projectId", "batchId", "batchLine");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
