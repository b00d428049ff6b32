import type { z } from "zod";
import type { CardState } from "../../contract/resources/cards.ts";
import { eventBytes } from "../../kernel/events/truncate.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { assemble, summaryColumns, type CardListRow } from "./assemble.ts";
import type { SummaryRow } from "../parts/part.ts";
import { indexOf } from "../../kernel/positions.ts";
import { blockingLimit } from "../list-limits.ts";
import { indexesOf } from "./summaries.ts";
import { relations } from "./relations-sql.ts";

/** What a card shows in its events, whether anyone watches it, and whether its list blocks. */
export type State = z.infer<typeof CardState> & {
  isWatched: boolean;
  listId: bigint | undefined;
  /** The most cards that its list may have; null if the list does not block. */
  listLimit: number | null;
};

/** A card, and by how much its version rises. */
export type CardChange = { publicId: string; versions: number };

/** How much of a description is read: events shorten longer ones. */
const longest = eventBytes + 1;

/** Up to this number of cards it is cheaper to count what is before each. */
const fewCards = 5;

const countedIndex = sql`CASE WHEN c."archivedAt" IS NULL AND c."deletedAt" IS NULL THEN
    ${indexOf("card", sql`c.id`)}::bigint END AS index`;

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

type Extra = Pick<State, "description" | "isWatched" | "listId" | "listLimit">;

const raise = (ids: string[], versions: number[]) =>
  ids.length === 1
    ? sql`UPDATE cards c SET version = c.version + ${versions[0] ?? 0}
        WHERE ${isOneOf(ids)} AND ${versions[0] ?? 0} > 0`
    : sql`UPDATE cards c SET version = c.version + more.versions
        FROM unnest(${ids}::text[], ${versions}::int[]) AS more("publicId", versions)
        WHERE c."publicId" = more."publicId" AND more.versions > 0`;

/** SQL: counts up the versions of cards. */
export const raiseVersions = (changes: CardChange[]): Sql =>
  raise(
    changes.map(({ publicId }) => publicId),
    changes.map(({ versions }) => versions),
  );

const statement = (ids: string[], versions: number[]) => {
  const { column, condition } = indexes(ids);
  return sql`WITH counted AS (${raise(ids, versions)} RETURNING c.id, c.version)
    SELECT ${summaryColumns}, left(c.description, ${sql.number(longest)}) AS description, ${column},
      coalesce(counted.version, c.version) AS version,
      c."listId", ${blockingLimit} AS "listLimit",
      EXISTS (SELECT FROM card_watchers cw WHERE cw."cardId" = c.id) AS "isWatched"
    FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    LEFT JOIN counted ON counted.id = c.id ${condition}`;
};

/** Reads cards with all that a list shows of them, after their versions have risen. */
export async function readCardStates(query: Query, changes: CardChange[]): Promise<State[]> {
  const ids = changes.map(({ publicId }) => publicId);
  const versions = changes.map((change) => change.versions);
  const [rows, related] = await Promise.all([
    query<CardListRow & Extra>(statement(ids, versions)),
    query<SummaryRow>(relations(isOneOf(ids))),
  ]);
  const extras = new Map(rows.map((row) => [row.publicId, row]));
  return assemble(rows, related).map((summary) => {
    const {
      description = null,
      isWatched = true,
      listLimit = null,
      listId,
    } = extras.get(summary.publicId) ?? {};
    return { ...summary, description, isWatched, listId, listLimit };
  });
}
