import type { SortKey } from "../../contract/filter/sort.ts";
import { isPassing, type CardSelection } from "../cards/filters.ts";
import { Sql, sql } from "../../platform/db/sql.ts";
import { cardAtFirst, isShownCard, isShownList, type BoardId } from "./contents-sql.ts";
import { isAfter, keysOf, orderOf, textsOf, type Key } from "./sort-keys.ts";

/** The page after the keys of the last card; of the cards `among` them, where they are few. */
type PageBounds = { limit: number; after: (string | null)[] | null; among?: bigint[] | null };

const isByPosition = ([first]: readonly SortKey[]) => first?.field === "position";

/** The values of the keys of the last card. */
function valuesOf(
  sort: readonly SortKey[],
  keys: readonly Key[],
  after: (string | null)[],
): (Sql | null)[] {
  const stored = keys.map(({ type }, nth) => {
    const value = after[nth] ?? null;
    return value === null ? null : sql`${value}::${type}`;
  });
  // Positions change when a list is renumbered: the last card, if it is live, has the current ones.
  const current = (key: Sql, old: Sql) => sql`coalesce((SELECT ${key} FROM cards c
    JOIN lists l ON l.id = c."listId"
    WHERE c.id = ${after.at(-1) ?? null}::bigint AND c."deletedAt" IS NULL), ${old})`;
  if (!sort.some(({ field }) => field === "position")) return stored;
  return keys.map(({ by, isNullable }, nth) => {
    const value = stored[nth] ?? null;
    return value === null || isNullable ? value : current(by, value);
  });
}

/** SQL: a page of selected cards in an order, read by the index of the order. */
export function selectPage(
  sort: readonly SortKey[],
  boardId: BoardId,
  selection: CardSelection,
  page: PageBounds,
): Sql {
  const { limit, after, among = null } = page;
  const keys = keysOf(sort, selection.custom);
  const values = after && valuesOf(sort, keys, after);
  const read = { limit, selected: isSelected(boardId, selection), keys, after: values };
  if (among !== null) return inOrder({ ...read, from: fewCards(among) });
  if (isByPosition(sort)) return byPosition(boardId, selection, read);
  return keys[0]?.isNullable === true ? valuesFirst(read) : inOrder({ ...read, from: allCards });
}

/** SQL: whether the card `c` in the list `l` is selected. */
const isSelected = (boardId: BoardId, selection: CardSelection): Sql =>
  sql`c."boardId" = ${boardId} AND ${isShownCard(selection)} AND ${isShownList(boardId, selection)}
    ${isPassing(selection, true)}`;

type Reading = { limit: number; selected: Sql; keys: Key[]; after: (Sql | null)[] | null };

const allCards = sql`cards c`;
const fewCards = (ids: bigint[]) => sql`unnest(${ids}::bigint[]) AS few(id)
  CROSS JOIN LATERAL (SELECT * FROM cards c WHERE c.id = few.id OFFSET 0) c`;
const parents = sql`JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"`;
const andAfter = (keys: Key[], after: (Sql | null)[] | null) =>
  after === null ? sql.empty : sql`AND ${isAfter(keys, after)}`;

/** SQL: the first of the selected cards. */
const inOrder = ({ limit, selected, keys, after, from }: Reading & { from: Sql }): Sql =>
  sql`SELECT c.id, ${textsOf(keys)} AS keys FROM ${from} ${parents}
    WHERE ${selected} ${andAfter(keys, after)} ORDER BY ${orderOf(keys)} LIMIT ${limit}`;

/** SQL: the first cards of the lists, list by list, until the page is full. */
function byPosition(
  boardId: BoardId,
  selection: CardSelection,
  { limit, keys, after }: Reading,
): Sql {
  const [lastList, lastCard] = after ?? [];
  const has = lastList instanceof Sql && lastCard instanceof Sql;
  return sql`SELECT c.id, ${textsOf(keys)} AS keys
    FROM (SELECT l.id, l.position, l."publicId", w."cardPrefix"
      FROM lists l JOIN workspaces w ON w.id = l."workspaceId"
      WHERE ${isShownList(boardId, selection)}
      ${has ? sql`AND l.position >= ${lastList}` : sql.empty} ORDER BY l.position OFFSET 0) l
    CROSS JOIN LATERAL (SELECT c.position
      FROM cards c CROSS JOIN (SELECT l."cardPrefix") w
      WHERE c."listId" = l.id AND ${isShownCard(selection)} ${isPassing(selection, true)}
        ${
          has
            ? sql`AND c.position >= CASE WHEN l.position = ${lastList}
              THEN ${lastCard} ELSE '-infinity' END`
            : sql.empty
        }
      ORDER BY c.position LIMIT ${limit + 1}) first
    ${cardAtFirst}
    ${has ? sql`WHERE ${isAfter(keys, after ?? [])}` : sql.empty}
    ORDER BY ${orderOf(keys)} LIMIT ${limit}`;
}

const idIn = (values: Key["values"], id: Key): Key =>
  values === undefined ? id : { ...id, by: values.cardId };

/**
 * SQL: the first cards with a value of the first key, and the first without one, by their indexes.
 *
 * Cards without a value are read only for the rest of a page.
 */
function valuesFirst({ limit, selected, keys: [first, ...others], after }: Reading): Sql {
  if (first === undefined) throw new Error("An order has at least one key.");
  const { values } = first;
  const known = { ...first, by: values?.by ?? first.by, isNullable: false };
  // The index of the values has the ids of cards too.
  const all = [known, ...others.slice(0, -1), ...others.slice(-1).map((id) => idIn(values, id))];
  const part = (keys: Key[], more: Sql, from = allCards) => {
    const shown = keys.length === all.length ? keys : [first, ...keys];
    const columns = shown.map(({ by }, nth) => sql`${by} AS ${sql.identifier(`key${nth}`)}`);
    return sql`SELECT ${sql.join(columns, sql`, `)} FROM ${from} ${parents}
      WHERE ${more} AND ${selected} ORDER BY ${orderOf(keys)} LIMIT ${limit}`;
  };
  const isUnknown = sql`${first.by} IS NULL`;
  const isInUnknown = after !== null && after[0] === null;
  const isKnown = values?.isOf ?? sql`${first.by} IS NOT NULL`;
  const from = values && sql`${values.from} JOIN cards c ON c.id = ${values.cardId}`;
  const withValue = part(all, sql`${isKnown} ${andAfter(all, after)}`, from);
  const withoutValue = isInUnknown
    ? part(others, sql`${isUnknown} ${andAfter(others, after.slice(1))}`)
    : part(others, sql`(SELECT count(*) FROM with_value) < ${limit} AND ${isUnknown}`);
  const both = sql`WITH with_value AS MATERIALIZED (${withValue})
    SELECT * FROM with_value UNION ALL (${withoutValue})`;
  const named = [first, ...others].map((key, nth) => ({
    ...key,
    by: sql`c.${sql.identifier(`key${nth}`)}`,
  }));
  const id = named.at(-1)?.by ?? sql`NULL`;
  return sql`SELECT ${id} AS id, ${textsOf(named)} AS keys
    FROM (${isInUnknown ? withoutValue : both}) c ORDER BY ${orderOf(named)} LIMIT ${limit}`;
}
