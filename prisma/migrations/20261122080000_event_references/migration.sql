-- By hand: references that crossed workspaces would be refused.
UPDATE "deliveries" d SET "eventId" = NULL FROM "events" e
  WHERE e."id" = d."eventId" AND e."workspaceId" <> d."workspaceId";
UPDATE "notifications" n SET "eventId" = NULL FROM "events" e
  WHERE e."id" = n."eventId" AND e."workspaceId" <> n."workspaceId";

-- DropForeignKey
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_eventId_fkey";

-- DropForeignKey
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_eventId_fkey";

-- DropIndex
DROP INDEX "events_workspaceId_id_idx";

-- CreateIndex
CREATE UNIQUE INDEX "events_workspaceId_id_key" ON "events"("workspaceId", "id");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspaceId_eventId_fkey" FOREIGN KEY ("workspaceId", "eventId") REFERENCES "events"("workspaceId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_workspaceId_eventId_fkey" FOREIGN KEY ("workspaceId", "eventId") REFERENCES "events"("workspaceId", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- By hand: before PostgreSQL 15 a composite foreign key cannot set one column to null.
CREATE FUNCTION clear_event_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE deliveries SET "eventId" = NULL WHERE "eventId" = OLD.id;
  UPDATE notifications SET "eventId" = NULL WHERE "eventId" = OLD.id;
  RETURN OLD;
END $$;

CREATE TRIGGER "events_clear_references" BEFORE DELETE ON "events"
  FOR EACH ROW EXECUTE FUNCTION clear_event_references();
