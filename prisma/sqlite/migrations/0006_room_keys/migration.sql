-- CreateTable
CREATE TABLE "RoomKey" (
    "projectId" TEXT NOT NULL,
    "roomId" TEXT NOT NULL,
    "keyIndex" INTEGER NOT NULL,
    "secret" TEXT NOT NULL,
    "emptySince" DATETIME,

    PRIMARY KEY ("projectId", "roomId"),
    CONSTRAINT "RoomKey_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
