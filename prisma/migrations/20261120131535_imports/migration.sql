-- AlterTable
ALTER TABLE "imported_things" ADD COLUMN     "boardId" BIGINT;

-- AlterTable
ALTER TABLE "imports" DROP COLUMN "created",
DROP COLUMN "report",
DROP COLUMN "startedById",
ADD COLUMN     "counts" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "createdById" BIGINT,
ADD COLUMN     "error" TEXT,
ADD COLUMN     "family" TEXT NOT NULL,
ADD COLUMN     "fingerprint" TEXT,
ADD COLUMN     "heldBy" TEXT,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "waits" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "import_losses" (
    "id" BIGSERIAL NOT NULL,
    "importId" BIGINT NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "sourceId" TEXT,
    "name" TEXT,
    "reason" TEXT NOT NULL,
    "partly" BOOLEAN NOT NULL DEFAULT false,
    "count" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "import_losses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "import_files" (
    "id" BIGSERIAL NOT NULL,
    "importId" BIGINT NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "storageKey" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "import_files_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "import_losses_importId_id_idx" ON "import_losses"("importId", "id");

-- CreateIndex
CREATE INDEX "import_losses_workspaceId_idx" ON "import_losses"("workspaceId");

-- CreateIndex
CREATE UNIQUE INDEX "import_files_storageKey_key" ON "import_files"("storageKey");

-- CreateIndex
CREATE INDEX "import_files_importId_idx" ON "import_files"("importId");

-- CreateIndex
CREATE INDEX "import_files_workspaceId_idx" ON "import_files"("workspaceId");

-- CreateIndex
CREATE INDEX "imported_things_boardId_idx" ON "imported_things"("boardId");

-- AddForeignKey
ALTER TABLE "imported_things" ADD CONSTRAINT "imported_things_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES "boards"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_losses" ADD CONSTRAINT "import_losses_importId_fkey" FOREIGN KEY ("importId") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_losses" ADD CONSTRAINT "import_losses_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_importId_fkey" FOREIGN KEY ("importId") REFERENCES "imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_files" ADD CONSTRAINT "import_files_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- By hand, because Prisma has no words for it.

-- The same source comes in once at a time, and of one family's things one run at a time decides which are there.
CREATE UNIQUE INDEX "imports_live" ON "imports" ("workspaceId", "fingerprint") WHERE "status" IN ('queued', 'running');
CREATE UNIQUE INDEX "imports_running" ON "imports" ("workspaceId", "family") WHERE "status" = 'running';
