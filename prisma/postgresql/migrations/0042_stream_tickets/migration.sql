-- CreateTable
CREATE TABLE "StreamTicket" (
    "id" TEXT NOT NULL,
    "tenantId" TEXT NOT NULL,
    "projectId" TEXT,
    "credentialId" TEXT NOT NULL,
    "caller" TEXT NOT NULL,
    "filters" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "StreamTicket_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "StreamTicket_credentialId_expiresAt_idx" ON "StreamTicket"("credentialId", "expiresAt");

-- CreateIndex
CREATE INDEX "StreamTicket_expiresAt_idx" ON "StreamTicket"("expiresAt");

-- CreateIndex
CREATE INDEX "StreamTicket_projectId_idx" ON "StreamTicket"("projectId");

-- AddForeignKey
ALTER TABLE "StreamTicket" ADD CONSTRAINT "StreamTicket_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
