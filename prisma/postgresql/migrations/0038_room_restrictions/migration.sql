-- CreateTable
CREATE TABLE "RoomRestriction" (
    "projectId" TEXT NOT NULL,
    "roomId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL,
    "endAt" TIMESTAMP(3),

    CONSTRAINT "RoomRestriction_pkey" PRIMARY KEY ("projectId","roomId","kind")
);

-- CreateIndex
CREATE INDEX "RoomRestriction_endAt_idx" ON "RoomRestriction"("endAt");

-- AddForeignKey
ALTER TABLE "RoomRestriction" ADD CONSTRAINT "RoomRestriction_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
