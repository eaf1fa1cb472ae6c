-- CreateTable
CREATE TABLE "InterruptedJob" (
    "job" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "projectId" TEXT,
    "ends" INTEGER NOT NULL,
    "endedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "InterruptedJob_pkey" PRIMARY KEY ("job","subject")
);
