import { catalog } from "../../../contract/events.ts";
import { truncateEvent } from "../../../kernel/events/truncate.ts";
import type { Making } from "./target.ts";
import { retold } from "./ids.ts";
import type { Items } from "../../exports/format.ts";
import type { On } from "./parts.ts";
import { sql } from "../../../platform/db/sql.ts";

type Card = Items["cards"];

// They happened before every event of this workspace that anybody may have read: whoever follows the feed is not told of them as news.
const insert = (value1: string, id: bigint) =>
  sql`INSERT INTO events ("publicId", "workspaceId", "boardPublicId", "cardPublicId", type, "isActivity",
    "actorType", "actorPublicId", "actorName", data, changes, "transactionId", "createdAt")
  SELECT e."publicId", ${id}::bigint, e."boardPublicId", e."cardPublicId", e.type, true,
    e."actorType"::"ActorType", e."actorPublicId", e."actorName", e.data, e.changes, 0, e."createdAt"
  FROM json_to_recordset(${value1}::json) AS e("publicId" text, "boardPublicId" text, "cardPublicId" text, type text,
    "actorType" text, "actorPublicId" text, "actorName" text, data jsonb, changes jsonb, "createdAt" timestamptz)`;

const known: Record<string, { isActivity: boolean }> = catalog;
const isHistory = (type: string) => Object.hasOwn(known, type) && known[type]?.isActivity === true;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is more goes in several statements, each well within its time. */
const mostEvents = 1_000;

/** Writes the histories of cards. Who did what is kept by name: its id leads to nobody here. */
export async function bringHistory(making: Making, cards: On[]): Promise<void> {
  const all = cards.flatMap(({ card, boardPublicId }) =>
    card.activity.flatMap((event, nth) =>
      isHistory(event.type) ? [{ card, boardPublicId, event, nth }] : [],
    ),
  );
  for (let from = 0; from < all.length; from += mostEvents) {
    const rows = all.slice(from, from + mostEvents).map((one) => rowOf(making, one));
    await making.tx.query(insert(JSON.stringify(rows), making.home.id));
  }
}

/** Names what happened on a card and cannot be shown here. */
export function loseHistory({ made }: Pick<Making, "made">, { publicId, title, activity }: Card) {
  for (const { type } of activity) {
    const reason = `This service does not know what ${type} is.`;
    if (!isHistory(type))
      made.lose({ kind: "activity", sourceId: publicId, name: title, partly: true, reason });
  }
}

type Happened = Pick<On, "card" | "boardPublicId"> & {
  event: Card["activity"][number];
  nth: number;
};

function rowOf({ ids, members, run }: Making, { card, boardPublicId, event, nth }: Happened) {
  const isMember = (id: string) => members.has(id);
  const { baseUrl } = run.deps;
  const data = retold(event.data, isMember, ids, baseUrl);
  const changes = retold(event.changes, isMember, ids, baseUrl);
  const { actor, type, createdAt } = event;
  return {
    publicId: ids(`${card.publicId} ${nth}`),
    boardPublicId,
    cardPublicId: ids(card.publicId),
    type,
    actorType: actor.type,
    actorPublicId: actor.publicId === null ? null : ids(actor.publicId),
    actorName: actor.name,
    createdAt,
    ...truncateEvent({
      data: isRecord(data) ? data : {},
      changes: isRecord(changes) ? changes : null,
    }),
  };
}
