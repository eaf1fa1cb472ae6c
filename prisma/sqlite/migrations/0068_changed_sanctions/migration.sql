-- AlterTable
ALTER TABLE "Sanction" ADD COLUMN "changedByUserIds" TEXT;
