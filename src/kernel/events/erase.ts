import { inOrder } from "../../platform/db/in-order.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { PendingEvent } from "./pending-event.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

/**
 * A deleted resource of a card: its public id, and those of the parts deleted with it. With
 * `moves` it may have come from other cards, with its checklist.
 */
export type Deleted = {
  cardPublicId: string;
  publicId: string;
  partPublicIds?: string[];
  moves?: true;
};

/** SQL: the cards that checklists of a card have come from, and the card. */
const cardsBefore = (cardPublicId: string) => sql`(WITH RECURSIVE earlier AS (
      SELECT ${cardPublicId}::text AS id
      UNION SELECT e.data #>> '{from,cardPublicId}' FROM earlier
      JOIN events e ON e."cardPublicId" = earlier.id AND e.type = 'checklist.moved')
    SELECT id FROM earlier WHERE id IS NOT NULL)`;

/** The fields of resources that hold text of users. */
const texts: ReadonlySet<string> = new Set(["comment", "filename", "url", "name", "title"]);

type Fields = Record<string, unknown>;
type Row = { id: bigint; data: Fields; changes: Fields | null };

/**
 * Erases the texts of a deleted resource from the history of its card.
 *
 * Events still say who did what and when. The responses of webhook receivers, which may repeat an
 * event, the excerpts of notifications and the stored answers of retries are erased as well.
 */
export async function eraseTexts(
  tx: Pick<UnitOfWork, "query" | "earlierEvents">,
  deleted: Deleted,
): Promise<void> {
  const { cardPublicId, publicId, partPublicIds = [], moves } = deleted;
  erasePending(tx.earlierEvents, deleted);
  const isOnCard = moves
    ? sql`"cardPublicId" IN ${cardsBefore(cardPublicId)}`
    : sql`"cardPublicId" = ${cardPublicId}`;
  const rows = await tx.query<Row>(sql`SELECT id, data, changes FROM events
    WHERE ${isOnCard} AND strpos(data::text, ${publicId}) > 0
    ORDER BY id FOR NO KEY UPDATE`);
  const ids = new Set([publicId, ...partPublicIds]);
  const erased = rows.map(({ id, data, changes }) => ({
    id: String(id),
    data: eraseFrom(data, ids),
    changes: changes !== null && isAbout(data, ids) ? withoutTexts(changes) : changes,
  }));
  const eventIds = rows.map(({ id }) => id);
  void tx.query(sql`UPDATE events SET data = erased.data, changes = erased.changes
    FROM jsonb_to_recordset(${JSON.stringify(erased)}::jsonb) AS erased(id bigint, data jsonb,
      changes jsonb) WHERE events.id = erased.id`);
  for (const statement of eraseDerived(eventIds, publicId)) void tx.query(statement);
}

/** Erases the texts from events of a batch that are not written yet. */
function erasePending(events: readonly PendingEvent[], deleted: Deleted): void {
  const { cardPublicId, publicId, partPublicIds = [], moves } = deleted;
  const ids = new Set([publicId, ...partPublicIds]);
  for (const event of events) {
    if (!moves && !isOneOf(event.data["card"], new Set([cardPublicId]))) continue;
    const { data, changes } = event;
    if (changes !== undefined && isAbout(data, ids)) event.changes = withoutTexts(changes);
    event.data = eraseFrom(data, ids);
  }
}

/** SQL: erases the texts from deliveries, notifications and stored answers. */
function eraseDerived(eventIds: bigint[], publicId: string): Sql[] {
  const isOf = sql`"eventId" = ANY(${eventIds}::bigint[])`;
  const hasResponse = sql`response IS NOT NULL
    AND "deliveryId" IN (SELECT id FROM deliveries WHERE ${isOf})`;
  const isExcerpt = sql`data #>> '{comment,publicId}' = ${publicId} AND (${isOf}
    OR "cardId" = (SELECT "cardId" FROM comments WHERE "publicId" = ${publicId}))`;
  const isResponse = sql`response IS NOT NULL AND digest IN (
    SELECT idempotency_digest(caller.scope, e."mutationId") FROM events e CROSS JOIN LATERAL (
      SELECT 'user:' || e."actorUserId" AS scope UNION ALL
      SELECT 'key:' || k.id FROM api_keys k WHERE k."userId" = e."actorUserId") caller
    WHERE e.id = ANY (${eventIds}::bigint[]) AND e."mutationId" IS NOT NULL)`;
  return [
    sql`UPDATE delivery_attempts SET response = NULL
    WHERE ${inOrder("delivery_attempts", hasResponse)}`,
    // A board that has moved to another workspace took its notifications along, without events.
    sql`UPDATE notifications SET data = jsonb_set(data, '{comment,excerpt}', '""')
    WHERE ${inOrder("notifications", isExcerpt)}`,
    sql`UPDATE idempotency_keys SET response = ''
    WHERE ${inOrder("idempotency_keys", isResponse)}`,
  ];
}

/** Whether an event is about one of the resources. */
const isAbout = (data: unknown, ids: ReadonlySet<string>) =>
  typeof data === "object" &&
  data !== null &&
  Object.values(data).some((part) => isOneOf(part, ids));

const isOneOf = (value: unknown, ids: ReadonlySet<string>) =>
  typeof value === "object" &&
  value !== null &&
  "publicId" in value &&
  ids.has(String(value.publicId));

/** Empties the texts of the resources with these public ids. */
function eraseFrom(value: object, ids: ReadonlySet<string>): Fields {
  const isDeleted = isOneOf(value, ids);
  const erasePart = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(erasePart);
    return typeof part === "object" && part !== null ? eraseFrom(part, ids) : part;
  };
  return Object.fromEntries(
    Object.entries(value).map(([field, part]: [string, unknown]) => [
      field,
      isDeleted && texts.has(field) && typeof part === "string" ? "" : erasePart(part),
    ]),
  );
}

/** Drops the changes of texts from an event. */
function withoutTexts<Change>(changes: Record<string, Change>): Record<string, Change> {
  return Object.fromEntries(Object.entries(changes).filter(([field]) => !texts.has(field)));
}
