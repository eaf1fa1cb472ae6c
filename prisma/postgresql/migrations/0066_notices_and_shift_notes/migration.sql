-- CreateTable
CREATE TABLE "ShiftNote" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ShiftNote_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PersonNotice" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "externalUserId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdByUserId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "PersonNotice_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ShiftNote_projectId_id_idx" ON "ShiftNote"("projectId", "id");

-- CreateIndex
CREATE INDEX "ShiftNote_createdAt_idx" ON "ShiftNote"("createdAt");

-- CreateIndex
CREATE INDEX "PersonNotice_projectId_externalUserId_id_idx" ON "PersonNotice"("projectId", "externalUserId", "id");

-- CreateIndex
CREATE INDEX "PersonNotice_createdAt_idx" ON "PersonNotice"("createdAt");

-- AddForeignKey
ALTER TABLE "ShiftNote" ADD CONSTRAINT "ShiftNote_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PersonNotice" ADD CONSTRAINT "PersonNotice_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
