DROP INDEX "cards_workspaceId_number_key";
DROP INDEX "webhooks_workspaceId_idx";

-- A trigger takes an event out of what refers to it. The checks read all events of the workspace, as those of cards.
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_workspaceId_eventId_fkey";
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_workspaceId_eventId_fkey";
