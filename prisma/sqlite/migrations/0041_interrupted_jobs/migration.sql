-- CreateTable
CREATE TABLE "InterruptedJob" (
    "job" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "projectId" TEXT,
    "ends" INTEGER NOT NULL,
    "endedAt" DATETIME NOT NULL,

    PRIMARY KEY ("job", "subject")
);
