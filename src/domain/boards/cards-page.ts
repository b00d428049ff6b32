import { isDueIn, isSelected, type CardSelection } from "../cards/filters.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isLive, isShownList } from "./contents-sql.ts";

const list = (fragments: readonly Sql[]) => sql.join(fragments, sql`, `);
const dueDate = sql`coalesce(c."dueDate", 'infinity')`;
const sorts = {
  position: {
    by: [sql`l.position`, sql`c.position`],
    types: [sql`text`, sql`text`],
    descending: false,
  },
  dueDate: { by: [dueDate], types: [sql`timestamptz`], descending: false },
  createdAt: { by: [sql`c."createdAt"`], types: [sql`timestamptz`], descending: true },
  updatedAt: { by: [sql`c."updatedAt"`], types: [sql`timestamptz`], descending: true },
} as const;

type PageBounds = { limit: number; after: string[] | null };

const keysOf = (sort: keyof typeof sorts) => [...sorts[sort].by, sql`c.id`];

/** SQL: the sort keys of the last card. */
function lastKeys(sort: keyof typeof sorts, after: string[]): Sql[] {
  const stored = [...sorts[sort].types, sql`bigint`].map(
    (type, nth) => sql`${after[nth] ?? null}::${type}`,
  );
  if (sort !== "position") return stored;
  // Positions change when a list is renumbered: the last card, if it is live, has the current ones.
  const current = (key: Sql, old: Sql) => sql`coalesce((SELECT ${key} FROM cards c
    JOIN lists l ON l.id = c."listId"
    WHERE c.id = ${after.at(-1) ?? null}::bigint AND c."deletedAt" IS NULL), ${old})`;
  return keysOf(sort).map((key, nth) => current(key, stored[nth] ?? sql`NULL`));
}

/** SQL: a page of selected cards in an order, after the sort keys of the last card. */
export function selectPage(
  sort: keyof typeof sorts,
  boardId: bigint,
  selection: CardSelection,
  page: PageBounds,
): Sql {
  const { members, labels, due } = selection;
  // Filters that few cards pass find them by their own indexes.
  const isRare = (members ?? labels) !== undefined;
  if (sort === "dueDate" && !isRare) return byDueDate(boardId, selection, page);
  const isDated = due !== undefined && due !== "none";
  if (sort === "position" && !isRare && !isDated) return byPosition(boardId, selection, page);
  return inOrder(sort, isSelected(boardId, selection), page);
}

/** SQL: the first of all selected cards. */
function inOrder(sort: keyof typeof sorts, selected: Sql, { limit, after }: PageBounds): Sql {
  const keys = keysOf(sort);
  const [operator, direction] = sorts[sort].descending ? [sql`<`, sql`DESC`] : [sql`>`, sql`ASC`];
  const isAfter =
    after === null
      ? sql.empty
      : sql`AND (${list(keys)}) ${operator} (${list(lastKeys(sort, after))})`;
  return sql`SELECT c.id, ARRAY[${list(keys.map((key) => sql`${key}::text`))}] AS keys
    FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
    WHERE ${selected} ${isAfter}
    ORDER BY ${list(keys.map((key) => sql`${key} ${direction}`))} LIMIT ${limit}`;
}

/** SQL: the first cards of each list, by the index of positions, and the first of them. */
function byPosition(boardId: bigint, selection: CardSelection, { limit, after }: PageBounds): Sql {
  const keys = keysOf("position");
  const [lastList, lastCard, lastId] = after === null ? [] : lastKeys("position", after);
  const has = lastList !== undefined && lastCard !== undefined && lastId !== undefined;
  return sql`SELECT c.id, ARRAY[${list(keys.map((key) => sql`${key}::text`))}] AS keys
    FROM (SELECT l.id, l.position FROM lists l WHERE ${isShownList(boardId, selection)}
      ${has ? sql`AND l.position >= ${lastList}` : sql.empty} ORDER BY l.position OFFSET 0) l
    CROSS JOIN LATERAL (SELECT c.position FROM cards c
      WHERE c."listId" = l.id AND ${isLive(selection)}
        AND ${isDueIn(selection)}
        ${
          has
            ? sql`AND c.position >= CASE WHEN l.position = ${lastList}
              THEN ${lastCard} ELSE '' END`
            : sql.empty
        }
      ORDER BY c.position LIMIT ${limit + 1}) first
    JOIN cards c ON c."listId" = l.id AND c.position = first.position AND c."deletedAt" IS NULL
    ${has ? sql`WHERE (${list(keys)}) > (${list([lastList, lastCard, lastId])})` : sql.empty}
    ORDER BY ${list(keys)} LIMIT ${limit}`;
}

/** SQL: the first cards with a due date, and the first without one, each by an index. */
function byDueDate(boardId: bigint, selection: CardSelection, { limit, after }: PageBounds): Sql {
  const part = (more: Sql) => sql`(SELECT c.id, c."dueDate" FROM cards c
      JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
      WHERE ${isSelected(boardId, selection)} AND ${more}
      ORDER BY c."dueDate", c.id LIMIT ${limit})`;
  const [last, id] = after ?? [];
  const isDated = sql`c."dueDate" IS NOT NULL`;
  const isAfter = sql`(c."dueDate", c.id) > (${last ?? null}::timestamptz, ${id ?? null}::bigint)`;
  const dated = part(after === null ? isDated : sql`${isDated} AND ${isAfter}`);
  const isUndated = sql`c."dueDate" IS NULL`;
  const isInUndated = last === "infinity";
  const undated = part(
    isInUndated ? sql`${isUndated} AND c.id > ${id ?? null}::bigint` : isUndated,
  );
  return sql`SELECT c.id, ARRAY[${dueDate}::text, c.id::text] AS keys
    FROM (${isInUndated ? undated : sql`${dated} UNION ALL ${undated}`}) c
    ORDER BY ${dueDate}, c.id LIMIT ${limit}`;
}
