-- CreateTable
CREATE TABLE "RoleLease" (
    "role" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "endsAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "RoomCall" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "method" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "answer" TEXT,
    "createdAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "RoomCall_createdAt_idx" ON "RoomCall"("createdAt");
