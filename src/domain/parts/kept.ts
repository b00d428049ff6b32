import type { PendingEvent } from "../../kernel/events/pending-event.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { cardParts } from "./card.ts";
import type { Part } from "./part.ts";

/** A part with the columns of the row of a card that are kept of it. */
type Kept = Part["kept"] & { name: string; names: Sql; values: Sql };

const commas = (fragments: Sql[]) => sql.join(fragments, sql`, `);

/** What the row of a card keeps of each part. */
export const keptParts: readonly Kept[] = Object.entries<Part>(cardParts).map(
  ([name, { kept }]) => {
    const columns = Object.entries<Sql>(kept.columns);
    return {
      ...kept,
      name,
      names: commas(columns.map(([column]) => sql.identifier(column))),
      values: commas(columns.map(([column, value]) => sql`${value} AS ${sql.identifier(column)}`)),
    };
  },
);

/** The names of the parts that events change. */
export const partsChangedBy = (event: Pick<PendingEvent, "type" | "changes">): string[] =>
  keptParts.flatMap(({ name, isChangedBy }) => (isChangedBy(event) ? name : []));

/** SQL: what an update of the locked card `c` sets of some parts, after a comma. */
export const keptOf = (parts: ReadonlySet<string>): Sql =>
  keptParts
    .filter(({ name }) => parts.has(name))
    .reduce(
      (set, { names, values, from, isOn }) =>
        sql`${set}, (${names}) = (SELECT ${values} FROM ${from} WHERE ${isOn(sql`c.id`)})`,
      sql.empty,
    );

const names = commas(keptParts.map((part) => part.names));
const valuesIn = (row: Sql) =>
  commas(
    keptParts.flatMap(({ columns }) =>
      Object.keys(columns).map((column) => sql`${row}.${sql.identifier(column)}`),
    ),
  );
const now = keptParts.reduce(
  (joins, { name, values, from, isOn }) => sql`${joins}
    CROSS JOIN LATERAL (SELECT ${values} FROM ${from} WHERE ${isOn(sql`c.id`)})
      AS ${sql.identifier(name)}`,
  sql`SELECT * FROM cards_to_keep c`,
);

/** Sets what the rows of some locked cards have of their parts, where it differs. */
export const keepParts = (query: Query, isCard: Sql): Promise<unknown> =>
  query(sql`WITH cards_to_keep AS MATERIALIZED (SELECT c.id FROM cards c WHERE ${isCard})
    UPDATE cards t SET (${names}) = ROW(${valuesIn(sql`now`)})
    FROM (${now}) now
    WHERE t.id = now.id AND (${valuesIn(sql`t`)}) IS DISTINCT FROM (${valuesIn(sql`now`)})`);
