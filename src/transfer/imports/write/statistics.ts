import type { Deps } from "../../../kernel/request/deps.ts";
import { sql } from "../../../platform/db/sql.ts";

/** So many new cards change the statistics of the tables. */
const minCards = 1_000;
const tables = `lists cards card_labels card_members checklists checklist_items comments
  attachments events`.split(/\s+/);

/** Updates the statistics of tables after a large import: until then queries are planned badly. */
export async function analyzeTables({ db, log }: Pick<Deps, "db" | "log">, cards: number) {
  if (cards < minCards) return;
  for (const table of tables) {
    await db.write(sql`ANALYZE ${sql.identifier(table)}`).catch((error: unknown) => {
      log.warn({ err: error, table }, "ANALYZE after an import failed");
    });
  }
}
