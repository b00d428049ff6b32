import { sql, type Sql } from "../../platform/db/sql.ts";
import { cardParts } from "./card.ts";
import type { Part } from "./part.ts";

/** The columns of the row of a card with what it counts. */
export const countNames: readonly string[] = Object.values<Part>(cardParts).flatMap((part) =>
  "count" in part.summary ? Object.keys(part.kept.columns) : [],
);

/** SQL: the counts of a card of a table with an alias. */
export const countColumns = (card: Sql, prefix = ""): Sql =>
  sql.join(
    countNames.map(
      (name) => sql`${card}.${sql.identifier(name)} AS ${sql.identifier(prefix + name)}`,
    ),
    sql`, `,
  );
