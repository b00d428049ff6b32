import { cardParts } from "../parts/card.ts";
import type { Part } from "../parts/part.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most labels, members and values of cards in one answer. */
export const maxSummaries = 40_000;

/** The parts whose things lists of cards show, with the column that says which cards have some. */
const parts = Object.entries<Part>(cardParts).flatMap(([name, { summary, kept, from, isOn }]) =>
  "count" in summary
    ? []
    : Object.keys(kept.columns).map((flag) => ({ name, flag, from, isOn, ...summary })),
);
/** The names of these parts. */
export const shownParts: readonly string[] = parts.map(({ name }) => name);
/** The names of those that are on a card by its row, or have been changed since. */
export const partsOn = (
  card: Readonly<Record<string, unknown>>,
  changed: ReadonlySet<string>,
): string[] =>
  parts.flatMap(({ name, flag }) => (card[flag] === false && !changed.has(name) ? [] : name));

const union = sql` UNION ALL `;

/** SQL: the columns of the card `c` that say what is on it. */
const flags = sql.join(
  parts.map(({ flag }) => sql`c.${sql.identifier(flag)}`),
  sql`, `,
);

/** SQL: the things of some parts on the card `c`, as `SummaryRow`. */
const ofOneCard = (names: readonly string[]) =>
  sql.join(
    parts
      .filter(({ name }) => names.includes(name))
      .map(
        ({ name, flag, from, isOn, columns }) => sql`SELECT ${sql.word(name)} AS kind,
          ${columns.publicId} AS "publicId", ${columns.name} AS name, ${columns.extra} AS extra
        FROM ${from} WHERE c.${sql.identifier(flag)} AND ${isOn(sql`c.id`)}`,
      ),
    union,
  );

/**
 * SQL: what is on the cards `c`, with its names.
 *
 * Each card is looked up in the indexes, also before PostgreSQL has statistics.
 */
export const summaries = (isCard: Sql, max = sql.number(maxSummaries), names = shownParts) => sql`
  SELECT c.id AS "cardId", related.*
  FROM (SELECT c.id, ${flags} FROM cards c WHERE ${isCard} OFFSET 0) c
  CROSS JOIN LATERAL (${ofOneCard(names)}) related
  ORDER BY "cardId", kind, name, "publicId" LIMIT ${max}`;
