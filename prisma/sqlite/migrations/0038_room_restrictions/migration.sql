-- CreateTable
CREATE TABLE "RoomRestriction" (
    "projectId" TEXT NOT NULL,
    "roomId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "since" DATETIME NOT NULL,
    "endAt" DATETIME,

    PRIMARY KEY ("projectId", "roomId", "kind"),
    CONSTRAINT "RoomRestriction_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "RoomRestriction_endAt_idx" ON "RoomRestriction"("endAt");
