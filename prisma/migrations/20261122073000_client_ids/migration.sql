-- CreateTable
CREATE TABLE "client_ids" (
    "id" BIGSERIAL NOT NULL,
    "publicId" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "goneAt" TIMESTAMPTZ(3),

    CONSTRAINT "client_ids_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "client_ids_publicId_key" ON "client_ids"("publicId");

-- CreateIndex
CREATE INDEX "client_ids_createdAt_idx" ON "client_ids"("createdAt");
