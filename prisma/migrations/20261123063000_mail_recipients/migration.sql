-- A mail without a workspace waits behind those to the same recipient.
ALTER TABLE "jobs" ADD COLUMN "recipient" TEXT;

UPDATE "jobs" SET "recipient" = split_part("uniqueKey", ' ', 1)
WHERE "kind" = 'mail' AND "uniqueKey" IS NOT NULL AND "status" IN ('queued', 'running');

-- By hand, because Prisma has no words for it.
CREATE INDEX "jobs_live_of_recipient" ON "jobs" ("recipient")
  WHERE "status" IN ('queued', 'running') AND "recipient" IS NOT NULL AND "workspaceId" IS NULL;
