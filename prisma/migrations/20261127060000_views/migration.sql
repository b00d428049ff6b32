-- CreateEnum
CREATE TYPE "ViewLayout" AS ENUM ('board', 'list', 'table', 'calendar', 'timeline');

-- CreateTable
CREATE TABLE "views" (
    "id" BIGSERIAL NOT NULL,
    "publicId" TEXT NOT NULL,
    "workspaceId" BIGINT NOT NULL,
    "boardId" BIGINT,
    "ownerId" BIGINT,
    "name" TEXT NOT NULL,
    "boards" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "filter" JSON,
    "sortBy" JSON NOT NULL DEFAULT '[]',
    "groupBy" TEXT,
    "layout" "ViewLayout" NOT NULL DEFAULT 'list',
    "createdById" BIGINT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "views_publicId_key" ON "views"("publicId");

-- CreateIndex
CREATE INDEX "views_workspaceId_idx" ON "views"("workspaceId");

-- CreateIndex
CREATE INDEX "views_boardId_idx" ON "views"("boardId");

-- CreateIndex
CREATE INDEX "views_ownerId_idx" ON "views"("ownerId");

-- AddForeignKey
ALTER TABLE "views" ADD CONSTRAINT "views_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "views" ADD CONSTRAINT "views_boardId_workspaceId_fkey" FOREIGN KEY ("boardId", "workspaceId") REFERENCES "boards"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE;

-- AddForeignKey
ALTER TABLE "views" ADD CONSTRAINT "views_ownerId_workspaceId_fkey" FOREIGN KEY ("ownerId", "workspaceId") REFERENCES "members"("id", "workspaceId") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "views" ADD CONSTRAINT "views_createdById_fkey" FOREIGN KEY ("createdById") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- By hand, because Prisma has no partial indexes and checks.
CREATE INDEX "views_deleted" ON "views" ("deletedAt") WHERE "deletedAt" IS NOT NULL;
-- A view is of a board, of a member, or of the workspace.
ALTER TABLE "views" ADD CONSTRAINT "views_scope_check" CHECK (num_nonnulls("boardId", "ownerId") <= 1);
