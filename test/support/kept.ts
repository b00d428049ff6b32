import { expect } from "vitest";
import { keepParts, keptParts } from "../../src/domain/parts/kept.ts";
import { sql, type Sql } from "../../src/platform/db/sql.ts";
import { allowLongStatements } from "../../src/platform/db/transaction.ts";
import type { App } from "./app.ts";

/** Sets what the rows of cards have of their parts, after a fixture has inserted some. */
export const keepCards = ({ db }: Pick<App, "db">, isCard = sql`true`): Promise<unknown> =>
  db.transact(async (_, query) => {
    await query(allowLongStatements);
    return keepParts(query, isCard);
  });

/** Expects that the rows of all cards have what is on them, or at least that they say so. */
export async function expectKept({ db }: Pick<App, "db">, isPurged = false): Promise<void> {
  const columns = keptParts.flatMap(({ columns: own, from, isOn }) =>
    Object.entries<Sql>(own).map(
      ([name, value]) => sql`${sql.word(name)}, json_build_array(c.${sql.identifier(name)},
        (SELECT ${value} FROM ${from} WHERE ${isOn(sql`c.id`)}))`,
    ),
  );
  type Row = { publicId: string; kept: Record<string, [kept: unknown, counted: unknown]> };
  const rows = await db.read<Row>(sql`SELECT c."publicId",
      json_build_object(${sql.join(columns, sql`, `)}) AS kept FROM cards c ORDER BY c.id`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { publicId, kept } of rows)
    for (const [name, [value, counted]] of Object.entries(kept)) {
      // The purge takes away what nobody has seen any more, and leaves the cards as they are.
      if (isPurged && value === true) continue;
      expect([publicId, name, value]).toEqual([publicId, name, counted]);
    }
}
