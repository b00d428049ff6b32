-- The jobs of one account, in however many workspaces, have one share.
ALTER TABLE "jobs" ADD COLUMN "accountId" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "startedAt" TIMESTAMPTZ(3);

UPDATE "jobs" j SET "accountId" = coalesce(
    (SELECT coalesce(s."createdById", -s.id) FROM "workspaces" s WHERE s.id = j."workspaceId"),
    (j.payload ->> 'userId')::bigint, 0)
WHERE j.status IN ('queued', 'running')
  AND (j."workspaceId" IS NOT NULL OR j.kind = 'anonymizeUser');

-- By hand, because Prisma has no words for it.
DROP INDEX "jobs_live_of_workspace";
CREATE INDEX "jobs_live_of_account" ON "jobs" ("kind", "accountId", "runAt", "id")
  WHERE "status" IN ('queued', 'running');
CREATE INDEX "jobs_live_of_workspace" ON "jobs"
  ("kind", "accountId", (coalesce("workspaceId", 0)), "runAt", "id")
  WHERE "status" IN ('queued', 'running');
CREATE INDEX "jobs_running" ON "jobs" ("kind", "accountId") WHERE "status" = 'running';
CREATE INDEX "jobs_started_of_account" ON "jobs" ("kind", "accountId", "startedAt")
  WHERE "startedAt" IS NOT NULL;
CREATE INDEX "jobs_started_of_workspace" ON "jobs"
  ("kind", (coalesce("workspaceId", 0)), "startedAt") WHERE "startedAt" IS NOT NULL;
