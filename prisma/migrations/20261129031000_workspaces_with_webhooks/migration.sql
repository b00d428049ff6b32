-- A write looks for webhooks only in a workspace that has an active one.
ALTER TABLE "workspaces" ADD COLUMN "hasWebhooks" BOOLEAN NOT NULL DEFAULT false;

UPDATE "workspaces" SET "hasWebhooks" = true
WHERE id IN (SELECT "workspaceId" FROM "webhooks" WHERE active AND "deletedAt" IS NULL);

-- Webhooks are created, changed, disabled and deleted in several places, but rarely. The row of the workspace is
-- locked first: the next statement then sees what others have changed.
CREATE FUNCTION set_has_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  workspace bigint := (coalesce(NEW, OLD))."workspaceId";
BEGIN
  PERFORM 1 FROM workspaces WHERE id = workspace FOR NO KEY UPDATE;
  UPDATE workspaces w SET "hasWebhooks" = has.any FROM (
    SELECT EXISTS (SELECT 1 FROM webhooks
      WHERE "workspaceId" = workspace AND active AND "deletedAt" IS NULL) AS any) has
  WHERE w.id = workspace AND w."hasWebhooks" <> has.any;
  RETURN NULL;
END $$;
CREATE TRIGGER webhooks_insert AFTER INSERT ON webhooks FOR EACH ROW EXECUTE FUNCTION set_has_webhooks();
CREATE TRIGGER webhooks_update AFTER UPDATE OF active, "deletedAt" ON webhooks FOR EACH ROW
  WHEN (OLD.active <> NEW.active OR (OLD."deletedAt" IS NULL) <> (NEW."deletedAt" IS NULL))
  EXECUTE FUNCTION set_has_webhooks();
CREATE TRIGGER webhooks_delete AFTER DELETE ON webhooks FOR EACH ROW
  WHEN (OLD.active AND OLD."deletedAt" IS NULL) EXECUTE FUNCTION set_has_webhooks();
