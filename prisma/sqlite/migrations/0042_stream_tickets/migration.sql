-- CreateTable
CREATE TABLE "StreamTicket" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT,
    "credentialId" TEXT NOT NULL,
    "caller" TEXT NOT NULL,
    "filters" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "StreamTicket_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "StreamTicket_credentialId_expiresAt_idx" ON "StreamTicket"("credentialId", "expiresAt");

-- CreateIndex
CREATE INDEX "StreamTicket_expiresAt_idx" ON "StreamTicket"("expiresAt");

-- CreateIndex
CREATE INDEX "StreamTicket_projectId_idx" ON "StreamTicket"("projectId");
