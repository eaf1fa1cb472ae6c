-- AlterTable
ALTER TABLE "Participant" ADD COLUMN "language" TEXT;

-- AlterTable
ALTER TABLE "Review" ADD COLUMN "answer" TEXT;

-- AlterTable
ALTER TABLE "Sanction" ADD COLUMN "basis" TEXT;

-- AlterTable
ALTER TABLE "SanctionTemplate" ADD COLUMN "ground" TEXT;
ALTER TABLE "SanctionTemplate" ADD COLUMN "reasons" TEXT;
