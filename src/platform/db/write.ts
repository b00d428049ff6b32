import type { Query } from "./query.ts";
import type { Card } from "./rows.ts";
import { sql } from "./sql.ts";

/** Changes one card, counts its version up and returns the whole row. */
export async function updateCardRow(
  query: Query,
  id: bigint,
  fields: Partial<Card>,
): Promise<Card> {
  const sets = Object.entries(fields).map(
    ([name, value]) => sql`${sql.identifier(name)} = ${value}`,
  );
  const [card] = await query<Card>(sql`UPDATE cards
    SET ${sql.join(sets, sql`, `)}, version = version + 1
    WHERE id = ${id} RETURNING *`);
  if (card === undefined) throw new Error("The card does not exist.");
  return card;
}
