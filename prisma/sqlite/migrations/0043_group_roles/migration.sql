-- AlterTable
ALTER TABLE "ProjectPermission" ADD COLUMN "fromGroups" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "User" ADD COLUMN "roleFromGroups" BOOLEAN NOT NULL DEFAULT false;
