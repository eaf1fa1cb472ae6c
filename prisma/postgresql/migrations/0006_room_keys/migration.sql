-- CreateTable
CREATE TABLE "RoomKey" (
    "projectId" TEXT NOT NULL,
    "roomId" TEXT NOT NULL,
    "keyIndex" INTEGER NOT NULL,
    "secret" TEXT NOT NULL,
    "emptySince" TIMESTAMP(3),

    CONSTRAINT "RoomKey_pkey" PRIMARY KEY ("projectId","roomId")
);

-- AddForeignKey
ALTER TABLE "RoomKey" ADD CONSTRAINT "RoomKey_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
