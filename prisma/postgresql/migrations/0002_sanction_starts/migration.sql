-- CreateIndex
CREATE INDEX "Sanction_startAt_id_idx" ON "Sanction"("startAt", "id");
