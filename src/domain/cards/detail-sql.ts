import { indexOf } from "../../kernel/positions.ts";
import { cardParts } from "../parts/card.ts";
import type { DetailPart, NamedRow, Part } from "../parts/part.ts";
import { jsonRows } from "../parts/rows-sql.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most bytes of checklist items that a card shows. */
export const maxItemBytes = 8 * 1024 * 1024;
/** The most that a read shows of them without its turn. */
export const smallItemBytes = 256 * 1024;

/** How a card alone shows names or a count: as lists of cards do. */
function detailOf({ summary, from, isOn }: Part): DetailPart {
  if ("count" in summary) {
    return {
      read: (cardId) => sql`(SELECT (${summary.total})::int FROM ${from} WHERE ${isOn(cardId)})`,
      none: 0,
      show: (total: number) => summary.count(total, 0),
    };
  }
  if ("map" in summary) throw new Error("A part with values by ids has a detail.");
  const { field, columns, view, max } = summary;
  const { id, publicId, name, extra } = columns;
  const limit = max === undefined ? sql.empty : sql`LIMIT ${sql.number(max)}`;
  return {
    read: (cardId) =>
      jsonRows(sql`SELECT ${publicId} AS "publicId", ${name} AS name,
        ${extra} AS extra
      FROM ${from} WHERE ${isOn(cardId)} ORDER BY 2, ${id} ${limit}`),
    none: [],
    show: (rows: NamedRow[]) => ({ [field]: rows.map(view) }),
  };
}

/** What a card alone shows of each part, by the column that its statement reads. */
export const detailParts = Object.entries(cardParts).map(([column, part]) => ({
  column,
  ...(part.detail ?? detailOf(part)),
}));

/** SQL: the ids of a card and of its caller, and the claim of the card. */
type Ids = Record<"id" | "userId" | "claim", Sql>;

/** SQL: the relations of a card, in columns whose names begin with a prefix. */
export const relationsOf = ({ id, userId, claim }: Ids, itemBytes: number, prefix = "") => {
  const as = (name: string) => sql.identifier(prefix + name);
  const columns = detailParts.map(
    ({ column, read }) => sql`${read(id, itemBytes)} AS ${as(column)}`,
  );
  return sql`
  SELECT ${sql.join(columns, sql`, `)},
    ${claim} AS ${as("claim")},
    EXISTS (SELECT 1 FROM card_watchers
      WHERE "cardId" = ${id} AND "userId" = ${userId}) AS ${as("isWatching")},
    ${indexOf("card", id)} AS ${as("before")}`;
};
