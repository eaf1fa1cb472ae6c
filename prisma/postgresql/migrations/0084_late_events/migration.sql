-- AlterTable
ALTER TABLE "GameEvent" ADD COLUMN     "occurredAt" TIMESTAMP(3);

-- AlterTable
ALTER TABLE "Leaderboard" ADD COLUMN     "lateEvents" TEXT NOT NULL DEFAULT 'now',
ADD COLUMN     "lateMinutes" INTEGER NOT NULL DEFAULT 0;
