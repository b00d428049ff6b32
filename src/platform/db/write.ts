import type { Card } from "./rows.ts";
import { sql, type Sql } from "./sql.ts";

/** Changes a card that is locked, counts its version up and returns the row as it is then. */
export function updateCardRow(
  tx: { send: (statement: Sql) => void },
  card: Card,
  fields: Partial<Card>,
): Card {
  const sets = Object.entries(fields).map(
    ([name, value]) => sql`${sql.identifier(name)} = ${value}`,
  );
  tx.send(sql`UPDATE cards SET ${sql.join(sets, sql`, `)}, version = version + 1
    WHERE id = ${card.id}`);
  return { ...card, ...fields, version: card.version + 1 };
}
