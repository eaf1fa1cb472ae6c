-- CreateTable
CREATE TABLE "RoleLease" (
    "role" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "endsAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RoleLease_pkey" PRIMARY KEY ("role")
);

-- CreateTable
CREATE TABLE "RoomCall" (
    "id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "answer" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RoomCall_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "RoomCall_createdAt_idx" ON "RoomCall"("createdAt");
