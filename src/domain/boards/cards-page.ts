import { cardFields } from "../../contract/fields/card.ts";
import { sortFields, type Field, type SortName as FieldSort } from "../../contract/fields/field.ts";
import { typeOf } from "../fields.ts";
import type { CardSelection } from "../cards/filters.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { passes } from "./candidates.ts";
import { cardAtFirst, isShownCard, isShownList } from "./contents-sql.ts";

const list = (fragments: readonly Sql[]) => sql.join(fragments, sql`, `);
const dueDate = sql`coalesce(c."dueDate", 'infinity')`;

type Sort = { by: Sql[]; types: Sql[]; descending: boolean };
/** The sorts of listings of cards. */
export type SortName = "position" | FieldSort<typeof cardFields>;

function byField(field: Field): Sort {
  const column = sql`c.${sql.identifier(field.column)}`;
  const descending = field.sort?.order === "desc";
  const key = descending ? column : sql`coalesce(${column}, 'infinity')`;
  return { by: [key], types: [typeOf(field)], descending };
}

const sorts = new Map<SortName, Sort>([
  [
    "position",
    {
      by: [sql`l.position`, sql`c.position`],
      types: [sql`numeric`, sql`numeric`],
      descending: false,
    },
  ],
  ...sortFields(cardFields).map(([name, field]): [SortName, Sort] => [name, byField(field)]),
]);

/** The names of the sorts, and what they mean. */
export const sortNames: SortName[] = [...sorts.keys()];
export const aboutSorts = [
  "`position`: list by list, as on the board.",
  ...sortFields(cardFields).map(([name, { sort }]) => `\`${name}\`: ${sort?.about}.`),
].join(" ");

const sortOf = (name: SortName): Sort =>
  sorts.get(name) ?? { by: [], types: [], descending: false };

/** The page after the keys of the last card; of the cards `among` them, where they are few. */
type PageBounds = { limit: number; after: string[] | null; among?: bigint[] | null };

const keysOf = (sort: SortName) => [...sortOf(sort).by, sql`c.id`];

/** SQL: the sort keys of the last card. */
function lastKeys(sort: SortName, after: string[]): Sql[] {
  const stored = [...sortOf(sort).types, sql`bigint`].map(
    (type, nth) => sql`${after[nth] ?? null}::${type}`,
  );
  if (sort !== "position") return stored;
  // Positions change when a list is renumbered: the last card, if it is live, has the current ones.
  const current = (key: Sql, old: Sql) => sql`coalesce((SELECT ${key} FROM cards c
    JOIN lists l ON l.id = c."listId"
    WHERE c.id = ${after.at(-1) ?? null}::bigint AND c."deletedAt" IS NULL), ${old})`;
  return keysOf(sort).map((key, nth) => current(key, stored[nth] ?? sql`NULL`));
}

/** SQL: a page of selected cards in an order, read by the index of the order. */
export function selectPage(
  sort: SortName,
  boardId: bigint,
  selection: CardSelection,
  page: PageBounds,
): Sql {
  const { among = null } = page;
  if (among === null && sort === "position") return byPosition(boardId, selection, page);
  if (among === null && sort === "dueDate") return byDueDate(boardId, selection, page);
  return inOrder(sort, boardId, selection, page);
}

/** SQL: whether the card `c` in the list `l` is selected. */
const isSelected = (boardId: bigint, selection: CardSelection): Sql =>
  sql`c."boardId" = ${boardId} AND ${isShownCard(selection)} AND ${isShownList(boardId, selection)}
    AND ${passes(boardId, selection)}`;

/** SQL: the first of the selected cards. */
function inOrder(
  sort: SortName,
  boardId: bigint,
  selection: CardSelection,
  { limit, after, among = null }: PageBounds,
): Sql {
  const keys = keysOf(sort);
  const [operator, direction] = sortOf(sort).descending ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const isAfter =
    after === null
      ? sql.empty
      : sql`AND (${list(keys)}) ${operator} (${list(lastKeys(sort, after))})`;
  const cards =
    among === null
      ? sql`cards c`
      : sql`unnest(${among}::bigint[]) AS few(id)
        CROSS JOIN LATERAL (SELECT * FROM cards c WHERE c.id = few.id OFFSET 0) c`;
  return sql`SELECT c.id, ARRAY[${list(keys.map((key) => sql`${key}::text`))}] AS keys
    FROM ${cards} JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    WHERE ${isSelected(boardId, selection)} ${isAfter}
    ORDER BY ${list(keys.map((key) => sql`${key} ${direction}`))} LIMIT ${limit}`;
}

/** SQL: the first cards of the lists, list by list, until the page is full. */
function byPosition(boardId: bigint, selection: CardSelection, { limit, after }: PageBounds): Sql {
  const keys = keysOf("position");
  const [lastList, lastCard, lastId] = after === null ? [] : lastKeys("position", after);
  const has = lastList !== undefined && lastCard !== undefined && lastId !== undefined;
  return sql`SELECT c.id, ARRAY[${list(keys.map((key) => sql`${key}::text`))}] AS keys
    FROM (SELECT l.id, l.position, w."weekStartDay"
      FROM lists l JOIN workspaces w ON w.id = l."workspaceId"
      WHERE ${isShownList(boardId, selection)}
      ${has ? sql`AND l.position >= ${lastList}` : sql.empty} ORDER BY l.position OFFSET 0) l
    CROSS JOIN LATERAL (SELECT c.position
      FROM cards c CROSS JOIN (SELECT l."weekStartDay") w
      WHERE c."listId" = l.id AND ${isShownCard(selection)} AND ${passes(boardId, selection)}
        ${
          has
            ? sql`AND c.position >= CASE WHEN l.position = ${lastList}
              THEN ${lastCard} ELSE '-infinity' END`
            : sql.empty
        }
      ORDER BY c.position LIMIT ${limit + 1}) first
    ${cardAtFirst}
    ${has ? sql`WHERE (${list(keys)}) > (${list([lastList, lastCard, lastId])})` : sql.empty}
    ORDER BY ${list(keys)} LIMIT ${limit}`;
}

/**
 * SQL: the first cards with a due date, and the first without one, each by an index.
 *
 * Cards without a due date are read only for the rest of a page.
 */
function byDueDate(boardId: bigint, selection: CardSelection, { limit, after }: PageBounds): Sql {
  const part = (more: Sql) => sql`SELECT c.id, c."dueDate" FROM cards c
      JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
      WHERE ${more} AND ${isSelected(boardId, selection)}
      ORDER BY c."dueDate", c.id LIMIT ${limit}`;
  const [last, id] = after ?? [];
  const isInUndated = last === "infinity";
  const isAfter = sql`AND (c."dueDate", c.id)
    > (${last ?? null}::timestamptz, ${id ?? null}::bigint)`;
  const dated = part(sql`c."dueDate" IS NOT NULL ${after === null ? sql.empty : isAfter}`);
  const isUndated = sql`c."dueDate" IS NULL`;
  const undated = isInUndated
    ? part(sql`${isUndated} AND c.id > ${id ?? null}::bigint`)
    : part(sql`(SELECT count(*) FROM dated) < ${limit} AND ${isUndated}`);
  const both = sql`WITH dated AS MATERIALIZED (${dated})
    SELECT * FROM dated UNION ALL (${undated})`;
  return sql`SELECT c.id, ARRAY[${dueDate}::text, c.id::text] AS keys
    FROM (${isInUndated ? undated : both}) c ORDER BY ${dueDate}, c.id LIMIT ${limit}`;
}
