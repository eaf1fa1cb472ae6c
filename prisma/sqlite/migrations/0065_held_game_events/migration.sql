-- CreateTable
CREATE TABLE "HeldGameEvent" (
    "eventId" TEXT NOT NULL PRIMARY KEY,
    "sanctionId" TEXT NOT NULL,
    CONSTRAINT "HeldGameEvent_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "GameEvent" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "HeldGameEvent_sanctionId_eventId_idx" ON "HeldGameEvent"("sanctionId", "eventId");
