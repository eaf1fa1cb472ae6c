-- CreateTable
CREATE TABLE "RoleCandidate" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "role" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "endsAt" DATETIME NOT NULL
);
