-- CreateTable
CREATE TABLE "feed_clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "offset" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "feed_clock_pkey" PRIMARY KEY ("id")
);

-- By hand, because Prisma has no words for it.

INSERT INTO "feed_clock" DEFAULT VALUES;
ALTER TABLE "feed_clock" ADD CONSTRAINT "feed_clock_one" CHECK ("id" = 1);

-- Where an event that is written now stands in the feed.
CREATE FUNCTION "feed_position"() RETURNS BIGINT LANGUAGE sql VOLATILE
  RETURN pg_current_xact_id()::text::bigint + coalesce((SELECT "offset" FROM "feed_clock"), 0);

-- AlterTable
ALTER TABLE "events" ALTER COLUMN "transactionId" SET DEFAULT feed_position();
