-- AlterTable
ALTER TABLE "CaseReview" ADD COLUMN "category" TEXT NOT NULL DEFAULT 'review';

-- Reviews of hidden measures against minors have opened cases about minors' safety.
UPDATE "CaseReview" SET "category" = 'minors_safety'
  WHERE "kind" = 'human_review' AND "caseId" IN (SELECT "id" FROM "Case" WHERE "category" = 'minors_safety' AND "reports" = 0);
