-- CreateTable
CREATE TABLE "import_readings" (
    "importId" BIGINT NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "part" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "ms" INTEGER NOT NULL,

    CONSTRAINT "import_readings_pkey" PRIMARY KEY ("importId","part","key")
);

-- CreateIndex
CREATE INDEX "import_readings_workspaceId_idx" ON "import_readings"("workspaceId");

-- AddForeignKey
ALTER TABLE "import_readings" ADD CONSTRAINT "import_readings_workspaceId_importId_fkey" FOREIGN KEY ("workspaceId", "importId") REFERENCES "imports"("workspaceId", "id") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- AddForeignKey
ALTER TABLE "import_readings" ADD CONSTRAINT "import_readings_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
