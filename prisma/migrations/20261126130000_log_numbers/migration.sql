-- AlterTable
ALTER TABLE "events" ADD COLUMN "number" BIGINT;
ALTER TABLE "user_events" ADD COLUMN "number" BIGINT, ADD COLUMN "publicId" TEXT;

-- CreateTable
CREATE TABLE "workspace_logs" (
    "workspaceId" BIGINT NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "workspace_logs_pkey" PRIMARY KEY ("workspaceId")
);

-- CreateTable
CREATE TABLE "user_logs" (
    "userId" BIGINT NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "user_logs_pkey" PRIMARY KEY ("userId")
);

-- By hand: the events get their numbers in the order in which feeds have shown them. History that
-- an import brought had the transaction 0, and gets no number.
UPDATE "events" e SET "number" = numbered."number"
FROM (SELECT "id", row_number() OVER (
    PARTITION BY "workspaceId" ORDER BY "transactionId", "id") AS "number"
  FROM "events" WHERE "transactionId" > 0) numbered
WHERE numbered."id" = e."id";
INSERT INTO "workspace_logs" ("workspaceId", "last")
SELECT "workspaceId", max("number") FROM "events" WHERE "number" IS NOT NULL GROUP BY 1;

UPDATE "user_events" e SET "number" = numbered."number", "publicId" = numbered."publicId"
FROM (SELECT one."id", row_number() OVER (
    PARTITION BY "userId" ORDER BY "transactionId", one."id") AS "number",
    (SELECT string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyz',
      1 + floor(random() * 36)::int, 1), '')
      FROM generate_series(1, 12) WHERE one."id" IS NOT NULL) AS "publicId"
  FROM "user_events" one) numbered
WHERE numbered."id" = e."id";
INSERT INTO "user_logs" ("userId", "last")
SELECT "userId", max("number") FROM "user_events" GROUP BY 1;

-- Each transaction reserved a million ids, so that its events stayed together.
SELECT setval('events_id_seq', (SELECT last_value + 1048576 FROM "events_id_seq"));
ALTER SEQUENCE "events_id_seq" INCREMENT BY 1;

-- DropIndex
DROP INDEX "events_workspaceId_transactionId_id_idx";
DROP INDEX "user_events_userId_transactionId_id_idx";

-- AlterTable
ALTER TABLE "events" DROP COLUMN "transactionId", DROP COLUMN "xid";
ALTER TABLE "user_events" DROP COLUMN "transactionId",
  ALTER COLUMN "number" SET NOT NULL,
  ALTER COLUMN "publicId" SET NOT NULL;

-- By hand.
DROP FUNCTION "feed_position"();

-- DropTable
DROP TABLE "feed_clock";

-- CreateIndex
CREATE UNIQUE INDEX "events_workspaceId_number_key" ON "events"("workspaceId", "number");

-- CreateIndex
CREATE UNIQUE INDEX "user_events_publicId_key" ON "user_events"("publicId");

-- CreateIndex
CREATE UNIQUE INDEX "user_events_userId_number_key" ON "user_events"("userId", "number");

-- AddForeignKey
ALTER TABLE "workspace_logs" ADD CONSTRAINT "workspace_logs_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_logs" ADD CONSTRAINT "user_logs_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
