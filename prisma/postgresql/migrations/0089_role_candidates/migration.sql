-- CreateTable
CREATE TABLE "RoleCandidate" (
    "id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "endsAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "RoleCandidate_pkey" PRIMARY KEY ("id")
);
