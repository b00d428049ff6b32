-- A board lists its cards by their last change in the order of an index.
CREATE INDEX "cards_boardId_updatedAt_id_idx" ON "cards"("boardId", "updatedAt", "id");

-- A user lists the cards that are assigned to them in the order of an index.
ALTER TABLE "card_members" ADD COLUMN "openDueDate" TIMESTAMPTZ(3);

-- By hand, because Prisma has no words for it.

-- `infinity` for a card without a due date, NULL for one that is archived or deleted.
CREATE FUNCTION open_due_date(due timestamptz, archived timestamptz, deleted timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN archived IS NULL AND deleted IS NULL THEN coalesce(due, 'infinity') END;

UPDATE card_members cm SET "openDueDate" = open_due_date(c."dueDate", c."archivedAt", c."deletedAt")
FROM cards c WHERE c.id = cm."cardId";
CREATE INDEX "card_members_open" ON "card_members" ("memberId", "openDueDate", "cardId") WHERE "openDueDate" IS NOT NULL;

-- The lock waits for a change of the card that is not committed yet.
CREATE FUNCTION set_open_due_date() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  SELECT open_due_date("dueDate", "archivedAt", "deletedAt") INTO NEW."openDueDate"
  FROM cards WHERE id = NEW."cardId" FOR SHARE;
  RETURN NEW;
END $$;
CREATE TRIGGER "card_members_open_due_date" BEFORE INSERT ON "card_members" FOR EACH ROW EXECUTE FUNCTION set_open_due_date();

CREATE FUNCTION change_open_due_dates() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE card_members SET "openDueDate" = open_due_date(NEW."dueDate", NEW."archivedAt", NEW."deletedAt")
  WHERE "cardId" = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "cards_open_due_date" AFTER UPDATE OF "dueDate", "archivedAt", "deletedAt" ON "cards" FOR EACH ROW
  WHEN ((OLD."dueDate", OLD."archivedAt", OLD."deletedAt") IS DISTINCT FROM (NEW."dueDate", NEW."archivedAt", NEW."deletedAt"))
  EXECUTE FUNCTION change_open_due_dates();
