-- As for cards: this index serves checks of keys to a webhook, too.
CREATE INDEX CONCURRENTLY "webhooks_workspaceId_id_idx" ON "webhooks" ("workspaceId", "id");
