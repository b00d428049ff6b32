import type { SortKey } from "../../contract/filter/sort.ts";
import { cardWith, isPassing, parentsOfCard, type CardSelection } from "../cards/filters.ts";
import type { Query } from "../../platform/db/query.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import { cardAtFirst, isShownCard, isShownList, type BoardId } from "./contents-sql.ts";
import { isAfter, keysOf, orderOf, textsOf, type Key } from "./sort-keys.ts";

/** The values of the keys of a card, as a cursor has them. */
export type Keys = (string | null)[];

/** The next cards after some keys, of those that a board shows. */
type PageRead = {
  boardId: BoardId;
  selection: CardSelection;
  keys: readonly Key[];
  after: Keys | null;
  limit: number;
};

/** The values of the keys of the last card. */
function valuesOf(keys: readonly Key[], after: Keys): (Sql | null)[] {
  const stored = keys.slice(0, after.length).map(({ type }, nth) => {
    const value = after[nth] ?? null;
    return value === null ? null : sql`${value}::${type}`;
  });
  const id = after.length < keys.length ? undefined : after.at(-1);
  if (id === undefined || !keys.some(({ field }) => field === "position")) return stored;
  // Positions change when a list is renumbered: the last card, if it is live, has the current ones.
  const current = (key: Sql, old: Sql) => sql`coalesce((SELECT ${key} FROM cards c
    JOIN lists l ON l.id = c."listId"
    WHERE c.id = ${id}::bigint AND c."deletedAt" IS NULL), ${old})`;
  return keys.map(({ by, isNullable }, nth) => {
    const value = stored[nth] ?? null;
    return value === null || isNullable ? value : current(by, value);
  });
}

/** SQL: `AND` a card comes after some keys. */
const andAfter = ({ keys, after }: Pick<PageRead, "keys" | "after">): Sql =>
  after === null ? sql.empty : sql`AND ${isAfter(keys, valuesOf(keys, after))}`;

/** SQL: whether a board shows the card `c` in the list `l`. */
const isShown = ({ boardId, selection }: PageRead): Sql =>
  sql`c."boardId" = ${boardId} AND ${isShownCard(selection)} AND ${isShownList(boardId, selection)}`;

/** SQL: the first shown cards that fulfil a condition. */
const inOrder = (reading: PageRead, condition = sql`true`, from = sql`cards c`): Sql =>
  sql`SELECT c.id, ${textsOf(reading.keys)} AS keys FROM ${from} ${parentsOfCard}
    WHERE ${isShown(reading)} AND ${condition} ${andAfter(reading)}
    ORDER BY ${orderOf(reading.keys)} LIMIT ${reading.limit}`;

/** SQL: the first shown cards that fulfil a condition, list by list, until the page is full. */
function byPosition({ boardId, selection, keys, after, limit }: PageRead, condition: Sql): Sql {
  const values = after === null ? [] : valuesOf(keys, after);
  const [lastList, lastCard] = values;
  const has = lastList instanceof Sql && lastCard instanceof Sql;
  return sql`SELECT c.id, ${textsOf(keys)} AS keys
    FROM (SELECT l.id, l.position, l."publicId", w."cardPrefix"
      FROM lists l JOIN workspaces w ON w.id = l."workspaceId"
      WHERE ${isShownList(boardId, selection)}
      ${has ? sql`AND l.position >= ${lastList}` : sql.empty} ORDER BY l.position OFFSET 0) l
    CROSS JOIN LATERAL (SELECT c.position
      FROM cards c CROSS JOIN (SELECT l."cardPrefix") w
      WHERE c."listId" = l.id AND ${isShownCard(selection)} AND ${condition}
        ${
          has
            ? sql`AND c.position >= CASE WHEN l.position = ${lastList}
              THEN ${lastCard} ELSE '-infinity' END`
            : sql.empty
        }
      ORDER BY c.position LIMIT ${limit + 1}) first
    ${cardAtFirst}
    ${has ? sql`WHERE ${isAfter(keys, values)}` : sql.empty}
    ORDER BY ${orderOf(keys)} LIMIT ${limit}`;
}

/** SQL: a key as its index has it. */
const columnOf = ({ by, values }: Key): Sql => values?.by ?? by;

/** SQL: the first shown cards with a value of the first key that fulfil a condition, by its index. */
function withValue(reading: PageRead, first: Key, condition: Sql): Sql {
  const { values } = first;
  const [, ...others] = reading.keys;
  const known = { ...first, by: columnOf(first), isNullable: false };
  // The index of the values has the ids of cards too.
  const ids =
    values !== undefined && others.length === 1
      ? others.map((id) => ({ ...id, by: values.cardId }))
      : others;
  const hasValue = values?.isOf ?? (first.isNullable ? sql`${first.by} IS NOT NULL` : sql`true`);
  const from = values && sql`${values.from} JOIN cards c ON c.id = ${values.cardId}`;
  const isFrom = sql`${hasValue} AND ${condition} ${andFrom(reading, first)}`;
  return inOrder({ ...reading, keys: [known, ...ids] }, isFrom, from);
}

/** SQL: `AND` where an index begins to read: a comparison of several columns may say it too late. */
function andFrom({ after }: PageRead, first: Key): Sql {
  const [value = null] = after ?? [];
  if (value === null || first.values === undefined) return sql.empty;
  return sql`AND ${columnOf(first)} ${first.isDescending ? sql`<=` : sql`>=`}
    ${value}::${first.type}`;
}

/** SQL: the first shown cards without a value of the first key that fulfil a condition. */
function withoutValue(reading: PageRead, first: Key, condition = sql`true`): Sql {
  const [, ...keys] = reading.keys;
  const rest = reading.after?.[0] === null ? reading.after.slice(1) : [];
  const after = rest.length === 0 ? null : rest;
  return inOrder({ ...reading, keys, after }, sql`${first.by} IS NULL AND ${condition}`);
}

/** SQL: the first selected cards of a board in an order. */
export function selectPage(
  sort: readonly SortKey[],
  boardId: BoardId,
  selection: CardSelection,
  page: Page,
): Sql {
  const reading = { boardId, selection, keys: keysOf(sort, selection.custom), ...page };
  const passes = sql`true ${isPassing(selection, true)}`;
  const [first] = reading.keys;
  if (first === undefined || first.field === "position") return byPosition(reading, passes);
  if (!first.isNullable) return inOrder(reading, passes);
  const isRest = sql`(SELECT count(*) FROM with_value) < ${page.limit} AND ${passes}`;
  const unknown = (condition: Sql) => sql`SELECT id, NULL::text || keys AS keys
    FROM (${withoutValue(reading, first, condition)}) without_value`;
  if (page.after?.[0] === null) return unknown(passes);
  return sql`WITH with_value AS MATERIALIZED (${withValue(reading, first, passes)})
    SELECT id, keys FROM (SELECT *, row_number() OVER () AS nth FROM (
      SELECT * FROM with_value UNION ALL (${unknown(isRest)})) both_parts) numbered
    ORDER BY nth LIMIT ${page.limit}`;
}

type Row = { id: bigint; keys: Keys };
type Page = { limit: number; after: Keys | null };

/** SQL: the first selected cards of many boards in an order: each board is read by its indexes. */
function mergedPage(
  sort: readonly SortKey[],
  boardIds: readonly bigint[],
  selection: CardSelection,
  page: Page,
): Sql {
  return sql`SELECT page.id, page.keys FROM unnest(${boardIds}::bigint[]) AS board(id)
    CROSS JOIN LATERAL (${selectPage(sort, sql`board.id`, selection, page)}) page
    ${cardWith(sql`page.id`)}
    ORDER BY ${orderOf(keysOf(sort, selection.custom))} LIMIT ${page.limit}`;
}

/** Reads the first cards of some boards after some keys, and one more if there is a next page. */
export function readCardPage(
  query: Query,
  sort: readonly SortKey[],
  boardIds: readonly bigint[],
  selection: CardSelection,
  { limit, after }: Page,
): Promise<Row[]> {
  const page = { limit: limit + 1, after };
  const [boardId, ...others] = boardIds;
  return query<Row>(
    boardId !== undefined && others.length === 0
      ? selectPage(sort, boardId, selection, page)
      : mergedPage(sort, boardIds, selection, page),
  );
}
