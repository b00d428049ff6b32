-- Writes and the dispatcher read the live webhooks of a workspace, which may have many deleted ones.
CREATE INDEX "webhooks_live" ON "webhooks" ("workspaceId") WHERE "deletedAt" IS NULL;
