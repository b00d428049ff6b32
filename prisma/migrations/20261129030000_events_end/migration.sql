-- Users are never deleted, and a workspace only after its events: these keys cost every write a query and a
-- lock, and found nothing.
ALTER TABLE "cards" DROP CONSTRAINT "cards_createdById_fkey";
ALTER TABLE "comments" DROP CONSTRAINT "comments_createdById_fkey";
ALTER TABLE "events" DROP CONSTRAINT "events_workspaceId_fkey";
ALTER TABLE "events" DROP CONSTRAINT "events_userId_fkey";

-- What an event tells of its call (address, request id, credential) ends before the history of a card does.
DROP INDEX "events_passing";
CREATE INDEX "events_expiring" ON "events" ("createdAt")
  WHERE NOT "isActivity" OR credential IS NOT NULL OR ip IS NOT NULL OR "requestId" IS NOT NULL;
-- For HISTORY_DAYS.
CREATE INDEX "events_time" ON "events" USING brin ("createdAt");
