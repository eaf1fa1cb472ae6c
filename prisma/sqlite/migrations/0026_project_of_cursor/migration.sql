-- AlterTable
ALTER TABLE "Cursor" ADD COLUMN "projectId" TEXT;

UPDATE "Cursor" SET "projectId" = substr("name", 7) WHERE "name" LIKE 'rules:%';
UPDATE "Cursor" SET "projectId" = (SELECT "projectId" FROM "PluginInstance" WHERE 'plugin:' || "id" = "Cursor"."name")
  WHERE "name" LIKE 'plugin:%';
