-- CreateTable
CREATE TABLE "FunctionSettings" (
    "projectId" TEXT NOT NULL,
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
    "activatedAt" TIMESTAMP(3),
    "changingSince" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "FunctionSettings_pkey" PRIMARY KEY ("projectId")
);

-- AddForeignKey
ALTER TABLE "FunctionSettings" ADD CONSTRAINT "FunctionSettings_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
