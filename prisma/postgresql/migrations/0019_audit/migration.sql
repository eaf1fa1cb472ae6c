-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT,
    "projectId" TEXT,
    "at" TIMESTAMP(3) NOT NULL,
    "actorKind" TEXT NOT NULL,
    "actorId" TEXT,
    "actorName" TEXT,
    "actorKey" TEXT,
    "address" TEXT,
    "requestId" TEXT,
    "action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "changed" TEXT NOT NULL,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditTarget" (
    "entryId" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "projectId" TEXT,
    "kind" TEXT NOT NULL,
    "targetId" TEXT NOT NULL,
    "name" TEXT,
    "nameKey" TEXT,

    CONSTRAINT "AuditTarget_pkey" PRIMARY KEY ("entryId","place")
);

-- CreateIndex
CREATE INDEX "AuditEntry_tenantId_at_id_idx" ON "AuditEntry"("tenantId", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_projectId_at_id_idx" ON "AuditEntry"("projectId", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_tenantId_actorId_at_id_idx" ON "AuditEntry"("tenantId", "actorId", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_tenantId_actorKey_at_id_idx" ON "AuditEntry"("tenantId", "actorKey", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_at_idx" ON "AuditEntry"("at");

-- CreateIndex
CREATE INDEX "AuditTarget_targetId_entryId_idx" ON "AuditTarget"("targetId", "entryId");

-- CreateIndex
CREATE INDEX "AuditTarget_nameKey_entryId_idx" ON "AuditTarget"("nameKey", "entryId");

-- CreateIndex
CREATE INDEX "AuditTarget_projectId_kind_idx" ON "AuditTarget"("projectId", "kind");

-- AddForeignKey
ALTER TABLE "AuditTarget" ADD CONSTRAINT "AuditTarget_entryId_fkey" FOREIGN KEY ("entryId") REFERENCES "AuditEntry"("id") ON DELETE CASCADE ON UPDATE CASCADE;
