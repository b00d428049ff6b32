import { sql } from "../../src/platform/db/sql.ts";
import { allowLongStatements } from "../../src/platform/db/transaction.ts";
import type { App } from "../support/app.ts";
import { keepParts } from "../../src/domain/parts/kept.ts";

/**
 * Widens the texts of a board to their limits, and gives a card its most items and comments.
 *
 * The API would need tens of thousands of calls.
 */
export async function fillToLimits({ db }: Pick<App, "db">, board: string, card: string) {
  const wide = "漢";
  await db.transact(async (_, write) => {
    await write(allowLongStatements);
    await write(sql`UPDATE cards SET title = repeat(${wide}, 2000), description = repeat('x', 5000)
    WHERE "boardId" = (SELECT id FROM boards WHERE "publicId" = ${board}) AND number <= 1500`);
    await write(sql`INSERT INTO card_labels ("cardId", "labelId", "workspaceId")
    SELECT c.id, la.id, c."workspaceId" FROM cards c JOIN labels la ON la."boardId" = c."boardId"
    WHERE c.number <= 1500 AND c."boardId" =
      (SELECT id FROM boards WHERE "publicId" = ${board}) ON CONFLICT DO NOTHING`);
    await write(sql`INSERT INTO checklists ("publicId", "workspaceId", "cardId", name, position)
    SELECT substr(md5(n || random()::text), 1, 12), c."workspaceId", c.id, 'List ' || n,
      1000 + n
    FROM cards c, generate_series(1, 49) n WHERE c."publicId" = ${card}`);
    await write(sql`INSERT INTO checklist_items ("publicId", "workspaceId", "checklistId", title,
      position)
    SELECT substr(md5(n || random()::text), 1, 12), ch."workspaceId", ch.id,
      repeat(${wide}, 500), 1000 + n
    FROM checklists ch JOIN cards c ON c.id = ch."cardId", generate_series(1, 500) n
    WHERE c."publicId" = ${card}`);
    await write(sql`INSERT INTO comments ("publicId", "workspaceId", "cardId", comment, "authorName")
    SELECT substr(md5(n || random()::text), 1, 12), c."workspaceId", c.id, repeat(${wide}, 20000),
      'Author' FROM cards c, generate_series(1, 120) n WHERE c."publicId" = ${card}`);
    await keepParts(write, sql`true`);
  });
}
