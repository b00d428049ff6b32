-- AlterTable
ALTER TABLE "events" ADD COLUMN "xid" BIGINT;

-- By hand, because Prisma has no words for it.

-- The transaction that wrote the event, for readers that ask what an older snapshot showed.
ALTER TABLE "events" ALTER COLUMN "xid" SET DEFAULT pg_current_xact_id()::text::bigint;

-- Where an event that is written now stands in the feed: not before any event whose transaction
-- has ended. The id of the own transaction alone would not do: a transaction gets it with its first
-- lock, and may then wait for a transaction that began later.
--
-- It is never below the own id. So every event with a number below the oldest running transaction
-- has been committed, and every later one gets a higher number.
CREATE OR REPLACE FUNCTION "feed_position"() RETURNS BIGINT LANGUAGE sql VOLATILE
  RETURN greatest(pg_current_xact_id()::text::bigint,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)
    + coalesce((SELECT "offset" FROM "feed_clock"), 0);

-- Transactions may share a number: each reserves a million ids, so that its events stay together.
ALTER SEQUENCE "events_id_seq" INCREMENT BY 1048576;
