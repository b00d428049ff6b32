import type { EventConsumer } from "../../kernel/events/consumers.ts";
import { newPublicId } from "../notifications/fan-out.ts";

/** SQL: whether the webhook `w`, with its board `b` as far as it is bound to one, listens to the event `e`. A card that leaves a board is told to both; no webhook is told of itself. */
export const listens = `w.events && ARRAY['*', e.type, split_part(e.type, '.', 1) || '.*']
  AND (w."boardId" IS NULL OR b."publicId" IN (e."boardPublicId", e.data #>> '{from,boardPublicId}'))
  AND e.data #>> '{webhook,publicId}' IS DISTINCT FROM w."publicId"`;

/** Writes a delivery of each event to each active webhook that listens to it. */
export const webhookConsumer: EventConsumer = {
  ctes: () => `delivered AS (INSERT INTO deliveries ("publicId", "workspaceId", "webhookId", "eventId", type, "nextAttemptAt", "createdAt")
  SELECT ${newPublicId("e.id + w.id")}, w."workspaceId", w.id, e.id, e.type, $10::timestamptz, $10::timestamptz
  FROM webhooks w LEFT JOIN boards b ON b.id = w."boardId" JOIN recorded e ON ${listens}
  WHERE w."workspaceId" = $2::bigint AND w.active AND w."deletedAt" IS NULL ORDER BY e.id)`,
};
