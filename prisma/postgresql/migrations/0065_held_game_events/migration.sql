-- CreateTable
CREATE TABLE "HeldGameEvent" (
    "eventId" TEXT NOT NULL,
    "sanctionId" TEXT NOT NULL,

    CONSTRAINT "HeldGameEvent_pkey" PRIMARY KEY ("eventId")
);

-- CreateIndex
CREATE INDEX "HeldGameEvent_sanctionId_eventId_idx" ON "HeldGameEvent"("sanctionId", "eventId");

-- AddForeignKey
ALTER TABLE "HeldGameEvent" ADD CONSTRAINT "HeldGameEvent_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "GameEvent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
