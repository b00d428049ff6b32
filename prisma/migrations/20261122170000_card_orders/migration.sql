-- A board lists its cards by due date and by creation in the order of an index.
DROP INDEX "cards_boardId_dueDate_idx";
CREATE INDEX "cards_boardId_dueDate_id_idx" ON "cards"("boardId", "dueDate", "id");
CREATE INDEX "cards_boardId_createdAt_id_idx" ON "cards"("boardId", "createdAt", "id");

-- By hand, because Prisma has no words for it.

-- A list finds its cards without a due date in the index alone.
DROP INDEX "cards_position_live";
CREATE UNIQUE INDEX "cards_position_live" ON "cards" ("listId", "position") INCLUDE ("archivedAt", "dueDate") WHERE "deletedAt" IS NULL;

-- A workspace lists its deleted cards in the order of an index.
CREATE INDEX "cards_trash" ON "cards" ("workspaceId", "deletedAt", "publicId") WHERE "deletedAt" IS NOT NULL;
