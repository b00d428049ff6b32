-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "byMail" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "inApp" BOOLEAN NOT NULL DEFAULT true;

-- DropIndex
DROP INDEX "events_createdAt_idx";

-- DropIndex
DROP INDEX "jobs_status_runAt_idx";

-- CreateIndex
CREATE INDEX "notifications_boardId_idx" ON "notifications"("boardId");

-- CreateIndex
CREATE INDEX "notifications_cardId_idx" ON "notifications"("cardId");

-- CreateIndex
CREATE INDEX "notifications_createdAt_idx" ON "notifications"("createdAt");

-- By hand, because Prisma has no words for it.

-- What a worker may take: what is due, and what was left behind.
CREATE INDEX "jobs_live" ON "jobs" ("runAt", "id") WHERE "status" IN ('queued', 'running');
-- What may be due soon.
CREATE INDEX "cards_due" ON "cards" ("dueDate", "id")
  WHERE "deletedAt" IS NULL AND "archivedAt" IS NULL AND "completedAt" IS NULL AND "dueDate" IS NOT NULL;
-- What is to be mailed.
CREATE INDEX "notifications_unmailed" ON "notifications" ("userId", "createdAt") WHERE "byMail" AND "mailedAt" IS NULL AND "readAt" IS NULL;

-- What the purge looks for. The history of a card stays as long as the card, so the purge does not read past it.
CREATE INDEX "events_passing" ON "events" ("createdAt") WHERE NOT "isActivity";
CREATE INDEX "jobs_finished" ON "jobs" ("finishedAt") WHERE "finishedAt" IS NOT NULL;
CREATE INDEX "deliveries_finished" ON "deliveries" ("finishedAt") WHERE "finishedAt" IS NOT NULL;
CREATE INDEX "sessions_revoked" ON "sessions" ("revokedAt") WHERE "revokedAt" IS NOT NULL;
CREATE INDEX "webhooks_deleted" ON "webhooks" ("deletedAt") WHERE "deletedAt" IS NOT NULL;
