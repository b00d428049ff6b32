-- Sign-in mail goes first, and a workspace that queues many mails waits behind the others.
ALTER TABLE "jobs" ADD COLUMN "priority" INTEGER NOT NULL DEFAULT 0;

CREATE INDEX "jobs_next" ON "jobs" ("priority", "runAt", "id")
  WHERE "status" IN ('queued', 'running');
CREATE INDEX "jobs_live_of_workspace" ON "jobs" ("workspaceId", "kind")
  WHERE "status" IN ('queued', 'running') AND "workspaceId" IS NOT NULL;
