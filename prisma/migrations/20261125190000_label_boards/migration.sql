-- By hand, because Prisma has no triggers: a label on a card is one of the card's board.
DELETE FROM "card_labels" x USING "cards" c, "labels" l
WHERE c.id = x."cardId" AND l.id = x."labelId" AND c."boardId" <> l."boardId";

-- Checked at the end of the transaction: a card that moves has labels of both boards meanwhile.
CREATE FUNCTION check_label_board() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  card bigint;
BEGIN
  IF TG_TABLE_NAME = 'cards' THEN card := NEW.id; ELSE card := NEW."cardId"; END IF;
  IF EXISTS (SELECT 1 FROM card_labels x
      JOIN cards c ON c.id = x."cardId"
      JOIN labels l ON l.id = x."labelId"
      WHERE x."cardId" = card AND c."boardId" <> l."boardId") THEN
    RAISE EXCEPTION 'Card % has a label of another board', card
      USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "card_labels_labelId_board"
  AFTER INSERT OR UPDATE OF "cardId", "labelId" ON "card_labels"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_label_board();

CREATE CONSTRAINT TRIGGER "cards_boardId_labels" AFTER UPDATE OF "boardId" ON "cards"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD."boardId" <> NEW."boardId")
  EXECUTE FUNCTION check_label_board();
