-- CreateTable
CREATE TABLE "StoredBytes" (
    "tenantId" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    PRIMARY KEY ("tenantId", "day")
);
