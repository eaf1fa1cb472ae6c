-- CreateTable
CREATE TABLE "MasterKeyHandover" (
    "id" TEXT NOT NULL,
    "wrappedBy" TEXT NOT NULL,
    "wrapped" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "MasterKeyHandover_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "MasterKeyHandover_wrappedBy_key" ON "MasterKeyHandover"("wrappedBy");
