-- The events of a user are rows of the same log as those of workspaces, under the user as their owner. They
-- keep their numbers and public ids: cursors continue. There are few of them, and they are copied once.
ALTER TABLE "events" ALTER COLUMN "workspaceId" DROP NOT NULL, ADD COLUMN "userId" BIGINT;
INSERT INTO "events" ("userId", "number", "publicId", "type", "actorType", "actorName", "data", "createdAt")
SELECT "userId", "number", "publicId", "type", 'system', '', "data", "createdAt"
FROM "user_events" ORDER BY "id";

-- CreateTable
CREATE TABLE "logs" (
    "id" BIGSERIAL NOT NULL,
    "workspaceId" BIGINT,
    "userId" BIGINT,
    "last" BIGINT NOT NULL,

    CONSTRAINT "logs_pkey" PRIMARY KEY ("id")
);
-- By hand: each write updates the row of its log.
ALTER TABLE "logs" SET (fillfactor = 50);
INSERT INTO "logs" ("workspaceId", "userId", "last")
SELECT "workspaceId", NULL, "last" FROM "workspace_logs" UNION ALL SELECT NULL, "userId", "last" FROM "user_logs";

-- DropTable
DROP TABLE "user_events";
DROP TABLE "user_logs";
DROP TABLE "workspace_logs";

-- CreateIndex
CREATE UNIQUE INDEX "logs_workspaceId_key" ON "logs"("workspaceId");
CREATE UNIQUE INDEX "logs_userId_key" ON "logs"("userId");

-- By hand: no row of a workspace is in it.
CREATE UNIQUE INDEX "events_userId_number_key" ON "events"("userId", "number") WHERE "userId" IS NOT NULL;

-- By hand: a log has one owner.
ALTER TABLE "events" ADD CONSTRAINT "events_owner_check" CHECK (num_nonnulls("workspaceId", "userId") = 1);
ALTER TABLE "logs" ADD CONSTRAINT "logs_owner_check" CHECK (num_nonnulls("workspaceId", "userId") = 1);

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "logs" ADD CONSTRAINT "logs_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "logs" ADD CONSTRAINT "logs_userId_fkey" FOREIGN KEY ("userId") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
