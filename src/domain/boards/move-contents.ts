import { takeNumbers } from "../cards/number.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

const cards = `SELECT id FROM cards WHERE "boardId" = $1`;
const checklists = `SELECT id FROM checklists WHERE "cardId" IN (${cards})`;
const locked = (rows: string) => `${rows} ORDER BY id FOR NO KEY UPDATE`;

/**
 * Locks all that lies on a board but the board, from the bottom up as everybody does, the trash included. What came onto a
 * card while it was waited for is locked by the second round: with its lists and cards held, nothing comes any more.
 */
export async function lockAll(query: Query, boardId: bigint) {
  const items = `SELECT id FROM checklist_items WHERE "checklistId" IN (${checklists})`;
  const lists = `SELECT id FROM lists WHERE "boardId" = $1`;
  const labels = `SELECT id FROM labels WHERE "boardId" = $1`;
  for (const rows of [items, checklists, cards, lists, cards, checklists, items, labels]) {
    await query(`SELECT count(*) FROM (${locked(rows)}) AS held`, [boardId]);
  }
}

/** Takes all that lies on a board, which is locked, into another workspace; the statements are as many whatever their rows. */
export async function moveContents(
  query: Query,
  board: { id: bigint; workspaceId: bigint },
  targetId: bigint,
  moverId: bigint,
) {
  const [counted] = await query<{ count: bigint }>(
    sql`SELECT count(*) FROM cards WHERE "boardId" = ${board.id}`,
  );
  const first = await takeNumbers(query, targetId, Number(counted?.count ?? 0));
  await query(
    sql`INSERT INTO card_aliases ("workspaceId", number, "cardId") SELECT "workspaceId", number, id
      FROM cards WHERE "boardId" = ${board.id}`,
  );
  await query(
    sql`UPDATE cards SET "workspaceId" = ${targetId}, number = ${first} + new.place FROM
       (SELECT id, (row_number() OVER (ORDER BY number))::int - 1 AS place FROM cards
       WHERE "boardId" = ${board.id}) new
     WHERE new.id = cards.id`,
  );
  for (const statement of carried) await query(statement, [board.id, targetId]);
  for (const statement of remembered) await query(statement, [board.id, targetId]);
  for (const statement of peopled) await query(statement, [board.id, targetId]);
  await query(
    sql`INSERT INTO board_members ("boardId", "memberId", "workspaceId")
     SELECT ${board.id}::bigint, id, ${targetId}::bigint FROM members
     WHERE "workspaceId" = ${targetId} AND "userId" = ${moverId} ON CONFLICT DO NOTHING`,
  );
  await query(notified, [board.id, targetId, board.workspaceId]);
}

// What they tell of stays behind in the history of the old workspace; they know all that they show.
const notified = `UPDATE notifications SET "workspaceId" = $2, "eventId" = NULL
  WHERE "workspaceId" = $3 AND ("cardId" IN (${cards}) OR ("cardId" IS NULL AND "boardId" = $1))`;

const goes = (table: string, which: string) =>
  `UPDATE ${table} SET "workspaceId" = $2 WHERE ${which}`;
const carried = [
  ...["lists", "labels", "api_keys"].map((table) => goes(table, `"boardId" = $1`)),
  ...["card_labels", "comments", "attachments", "checklists"].map((table) =>
    goes(table, `"cardId" IN (${cards})`),
  ),
];

// An import there knows what came along; what it has brought in itself is what it goes on with.
const remembered = [
  `DELETE FROM imported_things t WHERE "boardId" = $1 AND EXISTS (SELECT 1 FROM imported_things o
    WHERE o."workspaceId" = $2 AND o.source = t.source AND o.kind = t.kind AND o."sourceId" = t."sourceId")`,
  `UPDATE imported_things SET "workspaceId" = $2, "importId" = NULL WHERE "boardId" = $1`,
];

/** Whoever a member of the old workspace is in the new one. */
const same = `members o JOIN members n ON n."userId" = o."userId" AND n."workspaceId" = $2 AND n.status = 'active'`;
const isThere = (user: string) =>
  `EXISTS (SELECT 1 FROM members n WHERE n."workspaceId" = $2 AND n."userId" = ${user} AND n.status = 'active')`;
const seats = [
  ["card_members", `"cardId" IN (${cards})`],
  ["board_members", `"boardId" = $1`],
] as const;
const peopled = [
  ...seats.flatMap(([table, which]) => [
    `UPDATE ${table} t SET "memberId" = n.id, "workspaceId" = $2 FROM ${same} WHERE o.id = t."memberId" AND t.${which}`,
    `DELETE FROM ${table} WHERE ${which} AND "workspaceId" <> $2`,
  ]),
  `UPDATE checklist_items t SET "workspaceId" = $2, "memberId" = (SELECT n.id FROM ${same} WHERE o.id = t."memberId")
   WHERE t."checklistId" IN (${checklists})`,
  `DELETE FROM card_watchers WHERE "cardId" IN (${cards}) AND NOT ${isThere(`card_watchers."userId"`)}`,
  `DELETE FROM board_favourites WHERE "boardId" = $1 AND NOT ${isThere(`board_favourites."userId"`)}`,
];
