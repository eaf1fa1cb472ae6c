-- CreateTable
CREATE TABLE "MasterKeyHandover" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "wrappedBy" TEXT NOT NULL,
    "wrapped" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE UNIQUE INDEX "MasterKeyHandover_wrappedBy_key" ON "MasterKeyHandover"("wrappedBy");
