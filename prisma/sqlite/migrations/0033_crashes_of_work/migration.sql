-- AlterTable
ALTER TABLE "LeaderboardRebuild" ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "PluginAction" ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "WebhookEvent" ADD COLUMN "crashes" INTEGER NOT NULL DEFAULT 0;
