import { takeNumbers } from "../cards/number.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

const cards = (boardId: bigint) => sql`SELECT id FROM cards WHERE "boardId" = ${boardId}`;
const checklists = (boardId: bigint) =>
  sql`SELECT id FROM checklists WHERE "cardId" IN (${cards(boardId)})`;

/**
 * Locks all that lies on a board but the board, from the bottom up as everybody does, the trash included. What came onto a
 * card while it was waited for is locked by the second round: with its lists and cards held, nothing comes any more.
 */
export async function lockAll(query: Query, boardId: bigint) {
  const items = sql`SELECT id FROM checklist_items
    WHERE "checklistId" IN (${checklists(boardId)})`;
  const lists = sql`SELECT id FROM lists WHERE "boardId" = ${boardId}`;
  const labels = sql`SELECT id FROM labels WHERE "boardId" = ${boardId}`;
  const [ofCards, ofChecklists] = [cards(boardId), checklists(boardId)];
  const upwards = [items, ofChecklists, ofCards, lists];
  for (const rows of [...upwards, ofCards, ofChecklists, items, labels]) {
    await query(sql`SELECT count(*) FROM (${rows} ORDER BY id FOR NO KEY UPDATE) AS held`);
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
  for (const statement of moveStatements(board.id, targetId)) await query(statement);
  await query(
    sql`INSERT INTO board_members ("boardId", "memberId", "workspaceId")
     SELECT ${board.id}::bigint, id, ${targetId}::bigint FROM members
     WHERE "workspaceId" = ${targetId} AND "userId" = ${moverId} ON CONFLICT DO NOTHING`,
  );
  // Notifications stay readable: they show what they hold. Their events stay in the old workspace.
  await query(sql`UPDATE notifications SET "workspaceId" = ${targetId}, "eventId" = NULL
    WHERE "workspaceId" = ${board.workspaceId} AND ("cardId" IN (${cards(board.id)})
      OR ("cardId" IS NULL AND "boardId" = ${board.id}))`);
}

const tablesOfBoard = ["lists", "labels", "api_keys"];
const tablesOfCards = ["card_labels", "comments", "attachments", "checklists"];

/** The statements that move rows to the target workspace, in the order of locks. */
function moveStatements(boardId: bigint, targetId: bigint): Sql[] {
  const ofBoard = sql`"boardId" = ${boardId}`;
  const ofCards = sql`"cardId" IN (${cards(boardId)})`;
  const move = (table: string, where: Sql) =>
    sql`UPDATE ${sql.identifier(table)} SET "workspaceId" = ${targetId} WHERE ${where}`;
  return [
    ...tablesOfBoard.map((table) => move(table, ofBoard)),
    ...tablesOfCards.map((table) => move(table, ofCards)),
    ...moveImported(boardId, targetId),
    ...moveMembers(boardId, targetId),
  ];
}

/** What an import into the target has made itself stays: it continues with that. */
const moveImported = (boardId: bigint, targetId: bigint): Sql[] => [
  sql`DELETE FROM imported_things t WHERE "boardId" = ${boardId} AND EXISTS (
    SELECT 1 FROM imported_things o WHERE o."workspaceId" = ${targetId} AND o.source = t.source
      AND o.kind = t.kind AND o."sourceId" = t."sourceId")`,
  sql`UPDATE imported_things SET "workspaceId" = ${targetId}, "importId" = NULL
    WHERE "boardId" = ${boardId}`,
];

/** Members of both workspaces keep their cards and boards; the others are removed from them. */
function moveMembers(boardId: bigint, targetId: bigint): Sql[] {
  const ofCards = sql`"cardId" IN (${cards(boardId)})`;
  const sameUser = sql`members o JOIN members n ON n."userId" = o."userId"
    AND n."workspaceId" = ${targetId} AND n.status = 'active'`;
  const isMember = sql`EXISTS (SELECT 1 FROM members n WHERE n."workspaceId" = ${targetId}
    AND n."userId" = t."userId" AND n.status = 'active')`;
  const memberships: [string, Sql][] = [
    ["card_members", ofCards],
    ["board_members", sql`"boardId" = ${boardId}`],
  ];
  return [
    ...memberships.flatMap(([table, where]) => [
      sql`UPDATE ${sql.identifier(table)} t SET "memberId" = n.id, "workspaceId" = ${targetId}
        FROM ${sameUser} WHERE o.id = t."memberId" AND t.${where}`,
      sql`DELETE FROM ${sql.identifier(table)} WHERE ${where} AND "workspaceId" <> ${targetId}`,
    ]),
    sql`UPDATE checklist_items t SET "workspaceId" = ${targetId},
        "memberId" = (SELECT n.id FROM ${sameUser} WHERE o.id = t."memberId")
      WHERE t."checklistId" IN (${checklists(boardId)})`,
    sql`DELETE FROM card_watchers t WHERE ${ofCards} AND NOT ${isMember}`,
    sql`DELETE FROM board_favourites t WHERE "boardId" = ${boardId} AND NOT ${isMember}`,
  ];
}
