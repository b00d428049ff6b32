import { indexOf } from "../../kernel/positions.ts";
import { cardParts } from "../parts/card.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most bytes of checklist items that a card shows. */
export const maxItemBytes = 8 * 1024 * 1024;
/** The most that a read shows of them without its turn. */
export const smallItemBytes = 256 * 1024;
/** SQL: the ids of a card and of its caller, as values or as columns. */
type Ids = Record<"id" | "userId", Sql>;

/** SQL: the relations of a card, in columns whose names begin with a prefix. */
export const relationsOf = (
  { id, userId }: Ids,
  { prefix = "", itemBytes = maxItemBytes }: { prefix?: string; itemBytes?: number } = {},
) => {
  const as = (name: string) => sql.identifier(prefix + name);
  const columns = Object.values(cardParts)
    .flatMap(({ detail }) => Object.entries(detail.columns(id, itemBytes)))
    .map(([name, column]) => sql`${column} AS ${as(name)}`);
  return sql`
  SELECT ${sql.join(columns, sql`, `)},
    EXISTS (SELECT 1 FROM card_watchers
      WHERE "cardId" = ${id} AND "userId" = ${userId}) AS ${as("isWatching")},
    ${indexOf("card", id)} AS ${as("before")}`;
};
