import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { allowLongStatements } from "../../../src/platform/db/transaction.ts";
import type { App } from "../../support/app.ts";
import { keepCards } from "../../support/kept.ts";

/** Deletes every tenth card, gives every second a due date and a label, and notifies of each. */
export async function spread({ db }: App, board: string, user: string): Promise<void> {
  // Thousands of rows may take longer than a call may.
  const write = (statement: Sql) =>
    db.transact(async (_, query) => {
      await query(allowLongStatements);
      await query(statement);
    });
  const isOfBoard = sql`c."boardId" = (SELECT id FROM boards WHERE "publicId" = ${board})`;
  await write(sql`UPDATE cards c SET "deletedAt" = now() - make_interval(secs => number)
    WHERE ${isOfBoard} AND number % 10 = 0`);
  await write(sql`UPDATE cards c SET "createdAt" = now() - make_interval(secs => number),
    "updatedAt" = now() - make_interval(secs => number / 3),
    "dueDate" = CASE WHEN number % 2 = 0 THEN now() + make_interval(secs => number) END
    WHERE ${isOfBoard}`);
  await write(sql`INSERT INTO card_labels ("cardId", "labelId", "workspaceId")
    SELECT c.id, la.id, c."workspaceId" FROM cards c JOIN labels la ON la."boardId" = c."boardId"
    WHERE ${isOfBoard} AND number % (CASE la.name WHEN 'Label 1' THEN 2 ELSE 50 END) = 0`);
  await write(sql`INSERT INTO card_members ("cardId", "memberId", "workspaceId")
    SELECT c.id, m.id, c."workspaceId" FROM cards c
      JOIN members m ON m."workspaceId" = c."workspaceId" WHERE ${isOfBoard}`);
  await keepCards({ db }, isOfBoard);
  await write(sql`INSERT INTO notifications ("publicId", "userId", "workspaceId", "boardId",
      "cardId", type, data, "uniqueKey")
    SELECT 'n' || substr(md5(c.id::text), 1, 11), u.id, c."workspaceId", c."boardId", c.id,
      'assigned',
      jsonb_build_object('event', 'card.memberAdded', 'actor', jsonb_build_object(
        'type', 'user', 'publicId', u."publicId", 'name', 'An admin')), 'of ' || c.id
    FROM cards c, users u WHERE ${isOfBoard} AND u."publicId" = ${user}`);
}
