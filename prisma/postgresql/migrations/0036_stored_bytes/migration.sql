-- CreateTable
CREATE TABLE "StoredBytes" (
    "tenantId" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "StoredBytes_pkey" PRIMARY KEY ("tenantId","day")
);
