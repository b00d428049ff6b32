import type { z } from "zod";
import type { CardState } from "../../contract/resources/cards.ts";
import { eventBytes } from "../../kernel/events/truncate.ts";
import type { WatchedCard } from "../../kernel/events/pending-event.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { assemble, summaryColumns, unclaimedColumns, type CardListRow } from "./assemble.ts";
import { keptOf } from "../parts/kept.ts";
import type { SummaryRow } from "../parts/part.ts";
import { countBefore } from "../../kernel/positions.ts";
import { blockingLimit } from "../list-limits.ts";
import { indexesOf } from "./summaries.ts";
import { maxSummaries, summaries } from "./parts-sql.ts";

/** What a card shows in its events, who watches it, and whether its list blocks. */
export type EventPayload = z.infer<typeof CardState> & {
  watched: WatchedCard | undefined;
  listId: bigint | undefined;
  /** The most cards that its list may have; null if the list does not block. */
  listLimit: number | null;
};

/** A card, by how much its version rises, and whether this transaction has made it. */
export type CardChange = { publicId: string; versions: number; isNew: boolean };

/** What has changed on some cards, and what may be there. */
export type Changed = {
  /** The parts that have changed: the rows of the cards are set with their versions. */
  parts: ReadonlySet<string>;
  /** The parts whose things are read, and whether claims are: the others are known to be empty. */
  read: readonly string[];
  mayBeClaimed: boolean;
};

type Tx = Pick<UnitOfWork, "query" | "now">;

/** How much of a description is read: events shorten longer ones. */
const longest = eventBytes + 1;

/** Up to this number of cards it is cheaper to count what is before each. */
const fewCards = 5;

const countedIndex = sql`CASE WHEN c."archivedAt" IS NULL AND c."deletedAt" IS NULL THEN
    ${countBefore("card", sql`c`)}::bigint END AS index`;

/** One id is compared as such: PostgreSQL keeps its plan, and would plan each array anew. */
const isOneOf = ([first = "", ...others]: string[]) =>
  others.length === 0
    ? sql`c."publicId" = ${first}`
    : sql`c."publicId" = ANY(${[first, ...others]}::text[])`;

/** The index of each card, and which cards: PostgreSQL searches an array once, not per row. */
const indexes = (ids: string[]): { column: Sql; condition: Sql } =>
  ids.length <= fewCards
    ? { column: countedIndex, condition: sql`WHERE ${isOneOf(ids)}` }
    : {
        column: sql`indexed.index`,
        condition: sql`JOIN (${indexesOf(isOneOf(ids))}) indexed ON indexed.id = c.id`,
      };

type Extra = Pick<EventPayload, "description" | "listId" | "listLimit"> &
  Pick<WatchedCard, "watcherId">;

/** SQL: what is read of the card `c` in the list `l` of the workspace `w`. */
const stateOf = (index: Sql, mayBeClaimed: boolean) =>
  sql`${mayBeClaimed ? summaryColumns : unclaimedColumns},
  left(c.description, ${sql.number(longest)}) AS description, ${index}, c."listId",
  ${blockingLimit} AS "listLimit", c."watcherId"`;
const fromParents = sql`JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"`;

// A card changes when its version rises. A new one has the time that it was made with, which an
// import takes from its source.
const changedAt = (now: Date) => sql`, "updatedAt" = ${now}::timestamptz`;

/** SQL: raises the version of one card, and reads the card as it is then. */
const raiseOne = (
  { publicId, versions, isNew }: CardChange,
  { parts, mayBeClaimed }: Changed,
  now: Date,
) =>
  sql`UPDATE cards c SET version = c.version + ${versions}${keptOf(parts)}
      ${versions > 0 && !isNew ? changedAt(now) : sql.empty}
    FROM lists l, workspaces w
    WHERE c."publicId" = ${publicId} AND l.id = c."listId" AND w.id = c."workspaceId"
    RETURNING ${stateOf(countedIndex, mayBeClaimed)}`;

const raise = (changes: CardChange[], { parts }: Changed, now: Date) =>
  sql`UPDATE cards c SET version = c.version + more.versions${keptOf(parts)},
      "updatedAt" = CASE WHEN more."isChanged" THEN ${now}::timestamptz ELSE c."updatedAt" END
    FROM unnest(${changes.map(({ publicId }) => publicId)}::text[],
      ${changes.map(({ versions }) => versions)}::int[],
      ${changes.map(({ versions, isNew }) => versions > 0 && !isNew)}::bool[])
      AS more("publicId", versions, "isChanged")
    WHERE c."publicId" = more."publicId"
      ${parts.size > 0 ? sql.empty : sql`AND more.versions > 0`}`;

/** Raises the versions of cards, and reads what is read of their rows then. */
function readRows<Row>(
  { query, now }: Tx,
  changes: CardChange[],
  changed: Changed,
): Promise<Row[]> {
  const [first, ...others] = changes;
  const isRaised = changed.parts.size > 0 || changes.some(({ versions }) => versions > 0);
  if (isRaised && first !== undefined && others.length === 0)
    return query<Row>(raiseOne(first, changed, now));
  if (isRaised) void query(raise(changes, changed, now));
  const { column, condition } = indexes(changes.map(({ publicId }) => publicId));
  return query<Row>(sql`SELECT ${stateOf(column, changed.mayBeClaimed)}
    FROM cards c ${fromParents} ${condition}`);
}

/** Reads cards with all that a list shows of them, after their versions have risen. */
export async function readEventPayloads(
  tx: Tx,
  changes: CardChange[],
  changed: Changed,
): Promise<EventPayload[]> {
  const { query } = tx;
  const isCard = isOneOf(changes.map(({ publicId }) => publicId));
  const [rows, related] = await Promise.all([
    readRows<CardListRow & Extra>(tx, changes, changed),
    changed.read.length === 0
      ? []
      : query<SummaryRow>(summaries(isCard, sql.number(maxSummaries), changed.read)),
  ]);
  const extras = new Map(rows.map((row) => [row.publicId, row]));
  return assemble(rows, related).map((summary) => {
    const row = extras.get(summary.publicId);
    const { description = null, listLimit = null, listId } = row ?? {};
    return { ...summary, description, watched: row, listId, listLimit };
  });
}
