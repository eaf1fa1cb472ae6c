-- CreateIndex
CREATE INDEX "Sanction_projectId_type_revokedAt_expiredAt_idx" ON "Sanction"("projectId", "type", "revokedAt", "expiredAt");
