import { cardParts } from "../parts/card.ts";
import type { Part } from "../parts/part.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

/** The most labels, members and counts of cards in one answer. */
export const maxRelations = 40_000;

const parts = Object.entries(cardParts);
const union = sql` UNION ALL `;

/** SQL: the columns of `SummaryRow`, without its card and kind. */
const summaryColumns = ({ summary }: Part) => {
  if ("count" in summary) {
    return sql`NULL AS "publicId", NULL AS name, NULL AS extra, ${summary.total} AS total,
      ${summary.done ?? sql`0`} AS done`;
  }
  const { publicId, name, extra } = summary.columns;
  return sql`${publicId} AS "publicId", ${name} AS name, ${extra} AS extra, 0::bigint AS total,
    0::bigint AS done`;
};

/** SQL: an id or two counts, and a value, for the answers that show each thing once. */
const idColumns = ({ summary }: Part) =>
  "count" in summary
    ? sql`${summary.total}, ${summary.done ?? sql`0`}, NULL::text`
    : sql`${summary.columns.id}, NULL::bigint, ${"map" in summary ? summary.columns.extra : sql`NULL`}`;

/** SQL: one row per thing or count on the card `c`, with some columns. */
const ofCard = (columnsOf: (part: Part) => Sql) =>
  sql.join(
    parts.map(
      ([name, part]) => sql`SELECT ${sql.word(name)} AS kind, ${columnsOf(part)}
        FROM ${part.from} WHERE ${part.isOn(sql`c.id`)}
        ${"count" in part.summary ? sql`HAVING count(*) > 0` : sql.empty}`,
    ),
    union,
  );
const namedOfCard = ofCard(summaryColumns);
const idsOfCard = ofCard(idColumns);

/**
 * SQL: what is on the cards `c`, with its names.
 *
 * Each card is looked up in the indexes, also before PostgreSQL has statistics.
 */
export const relations = (isCard: Sql, max = sql.number(maxRelations)) => sql`
  SELECT c.id AS "cardId", related.*
  FROM (SELECT c.id FROM cards c WHERE ${isCard} OFFSET 0) c CROSS JOIN LATERAL (${namedOfCard}) related
  ORDER BY "cardId", kind, name, "publicId" LIMIT ${max}`;

/** SQL: what is on some cards, with its ids. */
export const relationIdsOf = (cardIds: readonly string[]) => sql`
  SELECT c.id AS "cardId", related.*
  FROM unnest(${cardIds}::bigint[]) AS c(id) CROSS JOIN LATERAL (${idsOfCard}) related
  ORDER BY 1 LIMIT ${sql.number(maxRelations)}`;

/** SQL: what is on the cards of a board that are not archived, with its ids. */
export const relationIdsOn = (boardId: bigint) => {
  const isCard = sql`c."boardId" = ${boardId} AND c."deletedAt" IS NULL AND c."archivedAt" IS NULL`;
  const statements = parts.map(
    ([name, part]) => sql`SELECT c.id, ${sql.word(name)}, ${idColumns(part)}
      FROM cards c, ${part.fromBoard ?? part.from} WHERE ${isCard} AND ${part.isOn(sql`c.id`)}
      ${"count" in part.summary ? sql`GROUP BY c.id` : sql.empty}`,
  );
  return sql`${sql.join(statements, union)} ORDER BY 1 LIMIT ${sql.number(maxRelations)}`;
};

/** The indexes of the columns of ids, which are read as texts: an id, or two counts; a value. */
export const relationColumn = { cardId: 0, kind: 1, id: 2, total: 2, done: 3, value: 4 };
