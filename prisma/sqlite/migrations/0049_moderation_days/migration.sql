-- CreateTable
CREATE TABLE "ModerationDay" (
    "projectId" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "what" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("projectId", "day", "what", "key"),
    CONSTRAINT "ModerationDay_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
