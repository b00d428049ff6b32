import { takeNumbers } from "../cards/number.ts";
import type { Query } from "../../platform/db/query.ts";

const cards = `SELECT id FROM cards WHERE "boardId" = $1`;
const checklists = `SELECT id FROM checklists WHERE "cardId" IN (${cards})`;
const locked = (rows: string) => `${rows} ORDER BY id FOR NO KEY UPDATE`;

/**
 * Locks the contents of a board from the bottom up, the trash included.
 *
 * Rows that were added during the first round are locked by the second; with the lists and cards
 * locked, no more can be added.
 */
export async function lockContents(query: Query, boardId: bigint) {
  const items = `SELECT id FROM checklist_items WHERE "checklistId" IN (${checklists})`;
  const lists = `SELECT id FROM lists WHERE "boardId" = $1`;
  const labels = `SELECT id FROM labels WHERE "boardId" = $1`;
  for (const rows of [items, checklists, cards, lists, cards, checklists, items, labels]) {
    await query(`SELECT count(*) FROM (${locked(rows)}) AS locked`, [boardId]);
  }
}

const addMover = `INSERT INTO board_members ("boardId", "memberId", "workspaceId")
  SELECT $1::bigint, id, $2::bigint FROM members WHERE "workspaceId" = $2 AND "userId" = $3
  ON CONFLICT DO NOTHING`;

/** Moves the contents of a locked board to another workspace, in a fixed number of statements. */
export async function moveContents(
  query: Query,
  board: { id: bigint; workspaceId: bigint },
  targetId: bigint,
  moverId: bigint,
) {
  // Between these statements rows of one card belong to two workspaces.
  await query(`SET CONSTRAINTS ALL DEFERRED`, []);
  await renumberCards(query, board.id, targetId);
  for (const statement of [...moveRows, ...moveImportRecords, ...moveMembers]) {
    await query(statement, [board.id, targetId]);
  }
  await query(addMover, [board.id, targetId, moverId]);
  await query(moveNotifications, [board.id, targetId, board.workspaceId]);
}

const addAliases = `INSERT INTO card_aliases ("workspaceId", number, "cardId")
  SELECT "workspaceId", number, id FROM cards WHERE "boardId" = $1`;
const renumber = `UPDATE cards SET "workspaceId" = $2, number = $3 + new.nth
  FROM (SELECT id, (row_number() OVER (ORDER BY number))::int - 1 AS nth
    FROM cards WHERE "boardId" = $1) new
  WHERE new.id = cards.id`;

/** Gives cards numbers of the target workspace; the old numbers become aliases. */
async function renumberCards(query: Query, boardId: bigint, targetId: bigint) {
  const counted = `SELECT count(*)::int AS count FROM cards WHERE "boardId" = $1`;
  const [row] = await query<{ count: number }>(counted, [boardId]);
  const first = await takeNumbers(query, targetId, row?.count ?? 0);
  await query(addAliases, [boardId]);
  await query(renumber, [boardId, targetId, first]);
}

// Their events stay in the history of the old workspace.
const moveNotifications = `UPDATE notifications SET "workspaceId" = $2, "eventId" = NULL
  WHERE "workspaceId" = $3
    AND ("cardId" IN (${cards}) OR ("cardId" IS NULL AND "boardId" = $1))`;

const move = (table: string, where: string) =>
  `UPDATE ${table} SET "workspaceId" = $2 WHERE ${where}`;
const moveRows = [
  ...["lists", "labels", "api_keys"].map((table) => move(table, `"boardId" = $1`)),
  ...["card_labels", "comments", "attachments", "checklists"].map((table) =>
    move(table, `"cardId" IN (${cards})`),
  ),
];

// Records of the target workspace win, so that its imports continue with their own.
const moveImportRecords = [
  `DELETE FROM imported_things t WHERE "boardId" = $1 AND EXISTS (SELECT 1 FROM imported_things o
    WHERE o."workspaceId" = $2 AND o.source = t.source AND o.kind = t.kind
      AND o."sourceId" = t."sourceId")`,
  `UPDATE imported_things SET "workspaceId" = $2, "importId" = NULL WHERE "boardId" = $1`,
];

/** SQL: a member `o` of the old workspace and the same user's member `n` of the target. */
const sameUser = `members o
  JOIN members n ON n."userId" = o."userId" AND n."workspaceId" = $2 AND n.status = 'active'`;
const isMember = (user: string) => `EXISTS (SELECT 1 FROM members n
  WHERE n."workspaceId" = $2 AND n."userId" = ${user} AND n.status = 'active')`;
const memberTables = [
  ["card_members", `"cardId" IN (${cards})`],
  ["board_members", `"boardId" = $1`],
] as const;
const moveMembers = [
  ...memberTables.flatMap(([table, where]) => [
    `UPDATE ${table} t SET "memberId" = n.id, "workspaceId" = $2 FROM ${sameUser}
     WHERE o.id = t."memberId" AND t.${where}`,
    `DELETE FROM ${table} WHERE ${where} AND "workspaceId" <> $2`,
  ]),
  `UPDATE checklist_items t SET "workspaceId" = $2,
     "memberId" = (SELECT n.id FROM ${sameUser} WHERE o.id = t."memberId")
   WHERE t."checklistId" IN (${checklists})`,
  `DELETE FROM card_watchers
   WHERE "cardId" IN (${cards}) AND NOT ${isMember(`card_watchers."userId"`)}`,
  `DELETE FROM board_favourites
   WHERE "boardId" = $1 AND NOT ${isMember(`board_favourites."userId"`)}`,
];
