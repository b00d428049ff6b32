-- By hand, because Prisma has no words for it.

-- A list counts its cards and finds its first ones in the index alone.
DROP INDEX "cards_position_live";
CREATE UNIQUE INDEX "cards_position_live" ON "cards" ("listId", "position") INCLUDE ("archivedAt") WHERE "deletedAt" IS NULL;
