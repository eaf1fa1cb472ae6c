-- CreateTable
CREATE TABLE "WebhookPayload" (
    "eventId" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "subjectUserId" TEXT,
    "redactedAt" TIMESTAMP(3),

    CONSTRAINT "WebhookPayload_pkey" PRIMARY KEY ("eventId")
);

-- CreateIndex
CREATE INDEX "WebhookPayload_projectId_subjectUserId_idx" ON "WebhookPayload"("projectId", "subjectUserId");

-- What was stored with each delivery of an event is the same for all of them.
INSERT INTO "WebhookPayload" ("eventId", "projectId", "payload", "subjectUserId")
  SELECT DISTINCT ON ("eventId") "eventId", "projectId", "payload", "subjectUserId" FROM "WebhookEvent" ORDER BY "eventId", "id";

-- DropIndex
DROP INDEX "WebhookEvent_projectId_subjectUserId_idx";

-- AlterTable
ALTER TABLE "WebhookEvent" DROP COLUMN "payload",
DROP COLUMN "subjectUserId";

-- AddForeignKey
ALTER TABLE "WebhookEvent" ADD CONSTRAINT "WebhookEvent_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "WebhookPayload"("eventId") ON DELETE NO ACTION ON UPDATE NO ACTION;
