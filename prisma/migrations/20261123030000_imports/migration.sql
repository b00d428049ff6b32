-- An import waits for limits and for failures of its source, each up to a number of times.
ALTER TABLE "imports" ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0;

-- The records of a card and its parts are found by their targets.
DROP INDEX "imported_items_boardId_idx";
CREATE INDEX "imported_items_boardId_targetId_idx" ON "imported_items"("boardId", "targetId");

-- By hand, because Prisma has no words for it.

-- The records of a card follow it to another board: they end with the board where the card is.
-- OFFSET 0 makes each look-up use the index, whatever the statistics of the table say.
CREATE FUNCTION move_import_records() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE imported_items SET "boardId" = NEW."boardId"
  WHERE "boardId" = OLD."boardId" AND "targetId" = NEW.id AND kind = 'card';
  IF NOT FOUND THEN RETURN NULL; END IF;
  UPDATE imported_items item SET "boardId" = NEW."boardId"
  FROM (
    SELECT found.id FROM (
      SELECT 'checklist' AS kind, id FROM checklists WHERE "cardId" = NEW.id
      UNION ALL SELECT 'checklistItem', i.id FROM checklist_items i
        JOIN checklists c ON c.id = i."checklistId" WHERE c."cardId" = NEW.id
      UNION ALL SELECT 'comment', id FROM comments WHERE "cardId" = NEW.id
      UNION ALL SELECT 'attachment', id FROM attachments WHERE "cardId" = NEW.id) part
    CROSS JOIN LATERAL (
      SELECT r.id FROM imported_items r
      WHERE r."boardId" = OLD."boardId" AND r."targetId" = part.id AND r.kind = part.kind
      OFFSET 0) found) moved
  WHERE item.id = moved.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "cards_import_records" AFTER UPDATE OF "boardId" ON "cards" FOR EACH ROW
  WHEN (OLD."boardId" <> NEW."boardId") EXECUTE FUNCTION move_import_records();

-- The records of the cards that were moved before.
WITH card AS (
  SELECT c.id, c."boardId" FROM imported_items i
  JOIN cards c ON c.id = i."targetId" AND c."workspaceId" = i."workspaceId"
  WHERE i.kind = 'card' AND c."boardId" <> i."boardId"),
part AS (
  SELECT 'card' AS kind, id, "boardId" FROM card
  UNION ALL SELECT 'checklist', c.id, card."boardId" FROM card JOIN checklists c ON c."cardId" = card.id
  UNION ALL SELECT 'checklistItem', i.id, card."boardId" FROM card
    JOIN checklists c ON c."cardId" = card.id JOIN checklist_items i ON i."checklistId" = c.id
  UNION ALL SELECT 'comment', c.id, card."boardId" FROM card JOIN comments c ON c."cardId" = card.id
  UNION ALL SELECT 'attachment', a.id, card."boardId" FROM card
    JOIN attachments a ON a."cardId" = card.id)
UPDATE imported_items i SET "boardId" = part."boardId"
FROM part WHERE i.kind = part.kind AND i."targetId" = part.id;
