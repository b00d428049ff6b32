import { keepWatcher } from "../../../src/domain/cards/watch.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";

/** Gives all cards of a list a due date; the API would need a call for each. */
export const makeDue = ({ db }: App, list: string, dueDate: string) =>
  db.write(sql`
    UPDATE cards c SET "dueDate" = ${dueDate}::timestamptz
    FROM lists l WHERE l.id = c."listId" AND l."publicId" = ${list}`);

/** Lets a user watch all cards of a list; the API would need a call for each. */
export async function watchAll({ db }: App, list: string, user: { publicId: string }) {
  await db.write(sql`
    INSERT INTO card_watchers ("cardId", "userId")
    SELECT c.id, u.id FROM users u, cards c JOIN lists l ON l.id = c."listId"
    WHERE l."publicId" = ${list} AND u."publicId" = ${user.publicId}`);
  await db.write(keepWatcher(sql`c."listId" = (SELECT id FROM lists WHERE "publicId" = ${list})`));
}
