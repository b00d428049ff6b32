import type { Database } from "../../platform/db/database.ts";
import { allowLongStatements } from "../../platform/db/transaction.ts";
import { sql } from "../../platform/db/sql.ts";
import { indexBoards, indexCards, indexComments } from "./index-stored.ts";

/** How many boards or cards one transaction reads, with what is on them. */
const perStep = 200;

/**
 * Makes the words of all texts again, beside a running service.
 *
 * A text cannot change while its words are made: whoever changes it, or one on a card, locks the row
 * that is locked here. `report` gets the number of the boards and cards so far.
 */
export async function rebuildSearch(
  { transact }: Pick<Database, "transact">,
  report: (count: number) => void = () => undefined,
): Promise<void> {
  let count = 0;
  for (const table of ["boards", "cards"] as const) {
    let after: bigint | undefined = 0n;
    while (after !== undefined) {
      const from: bigint = after;
      const ids: bigint[] = await transact(async (_, query) => {
        await query(allowLongStatements);
        const rows = await query<{ id: bigint }>(sql`SELECT id FROM ${sql.identifier(table)}
          WHERE id > ${from} ORDER BY id LIMIT ${sql.number(perStep)} FOR SHARE`);
        const locked = rows.map(({ id }) => id);
        if (table === "boards") await indexBoards(query, locked);
        else await indexWithComments(query, locked);
        return locked;
      });
      count += ids.length;
      report(count);
      after = ids.at(-1);
    }
  }
}

async function indexWithComments(query: Parameters<typeof indexCards>[0], cardIds: bigint[]) {
  await indexCards(query, cardIds);
  const comments = await query<{ id: bigint }>(sql`SELECT id FROM comments
    WHERE "cardId" = ANY(${cardIds}::bigint[]) AND "deletedAt" IS NULL ORDER BY id`);
  await indexComments(
    query,
    comments.map(({ id }) => id),
  );
}
