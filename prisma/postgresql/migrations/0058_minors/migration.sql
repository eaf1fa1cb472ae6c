-- AlterTable
ALTER TABLE "Participant" ADD COLUMN     "isMinor" BOOLEAN;

-- AlterTable
ALTER TABLE "ProjectSettings" ADD COLUMN     "minorsTranscriptRetentionDays" INTEGER;
