-- DropIndex
DROP INDEX "Review_sanctionId_kind_key";

-- AlterTable
ALTER TABLE "Review" ADD COLUMN     "isInName" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "Review_sanctionId_kind_isInName_key" ON "Review"("sanctionId", "kind", "isInName");
UPDATE "Review" SET "isInName" = TRUE WHERE "kind" = 'appeal' AND "createdByUserId" IS NOT NULL;
