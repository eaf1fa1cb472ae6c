-- CreateTable
CREATE TABLE "FunctionSettings" (
    "projectId" TEXT NOT NULL PRIMARY KEY,
    "enabled" BOOLEAN NOT NULL,
    "provider" TEXT,
    "address" TEXT,
    "credentials" TEXT,
    "resourcePackageId" TEXT,
    "locationId" TEXT,
    "environment" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "isHosted" BOOLEAN NOT NULL,
    "message" TEXT,
    "activatedAt" DATETIME,
    "changingSince" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "FunctionSettings_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
