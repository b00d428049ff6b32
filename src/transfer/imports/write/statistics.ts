import type { Deps } from "../../../kernel/request/deps.ts";

/** So many new cards change what the database should know of its tables. */
const many = 1_000;
const tables = [
  "lists",
  "cards",
  "card_labels",
  "card_members",
  "checklists",
  "checklist_items",
  "comments",
  "attachments",
  "events",
];

/** Has the database look anew at what it plans its queries by: otherwise it would take the first board that is asked for after a large import for a small one. */
export async function lookAnew(
  { db, log }: Pick<Deps, "db" | "log">,
  cards: number,
): Promise<void> {
  if (cards < many) return;
  for (const table of tables) {
    await db.write(`ANALYZE ${table}`, []).catch((error: unknown) => {
      log.warn({ err: error, table }, "the statistics of a table are left to the database");
    });
  }
}
