import { relatedTo } from "../relations/drop-crossing.ts";
import { isCardOf, lockCards } from "../cards/lock-cards.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import { inOrder } from "../../platform/db/in-order.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { tablesOf } from "../../contract/fields/part.ts";
import { boardParts, parentOf } from "../../contract/resources/board-parts.ts";
import { cardParts as declared } from "../../contract/resources/card-parts.ts";
import { unassignWithoutAccess } from "../cards/assignees.ts";
import { cardParts } from "../parts/card.ts";
import { moveWords } from "../search/index-texts.ts";
import { moveMembers } from "../parts/members.ts";

const cards = (boardId: bigint) => sql`SELECT id FROM cards WHERE "boardId" = ${boardId}`;

/** The tables whose rows name their board; lists come last, as in the order of locks. */
const onBoards = tablesOf(boardParts)
  .flatMap(([name]) => (parentOf(name).table === "boards" ? [name] : []))
  .toSpliced(-1, 0, "views");

/**
 * Locks the contents of a board, the trash included: what is on a card, by the lock of the card.
 *
 * Rows that were added during the first round are locked by the second, which never waits: it would
 * go against the order of locks. With lists and cards locked, no more can be added.
 */
export async function lockContents(query: Query, boardId: bigint) {
  const isOfBoard = sql`"boardId" = ${boardId}`;
  const lock = (table: string, wait = sql.empty) =>
    query(sql`SELECT count(*) FROM (SELECT id FROM ${sql.identifier(table)} WHERE ${isOfBoard}
      ORDER BY id FOR NO KEY UPDATE ${wait}) AS locked`);
  // Relations to cards of other boards end with the move, so those cards are locked too.
  const isConcerned = sql`("boardId" = ${boardId} OR ${isCardOf(relatedTo(boardId))})`;
  await lockCards(query, isConcerned);
  for (const table of onBoards) await lock(table);
  await lockCards(query, isConcerned, { nowait: true });
  for (const table of onBoards) if (table !== "lists") await lock(table, sql`NOWAIT`);
}

/** Moves the contents of a locked board to another workspace, in a fixed number of statements. */
export async function moveContents(
  query: Query,
  board: { id: bigint; workspaceId: bigint },
  targetId: bigint,
  moverId: bigint,
) {
  // Between these statements rows of one card belong to two workspaces.
  await query(sql`SET CONSTRAINTS ALL DEFERRED`);
  await renumberCards(query, board.id, targetId);
  for (const statement of [
    ...moveRows(board.id, targetId),
    ...moveImportRecords(board.id, targetId),
    ...moveMembersOf(board.id, targetId),
  ]) {
    await query(statement);
  }
  await query(sql`INSERT INTO board_members ("boardId", "memberId", "workspaceId")
    SELECT ${board.id}::bigint, id, ${targetId}::bigint FROM members
    WHERE "workspaceId" = ${targetId} AND "userId" = ${moverId} ON CONFLICT DO NOTHING`);
  await moveWords(query, board, targetId);
  await unassignWithoutAccess(query, board.id);
  // The events of notifications stay in the history of the old workspace.
  const isOfBoard = sql`"workspaceId" = ${board.workspaceId} AND ("cardId" IN (${cards(board.id)})
    OR ("cardId" IS NULL AND "boardId" = ${board.id}))`;
  await query(sql`UPDATE notifications SET "workspaceId" = ${targetId}, "eventId" = NULL
    WHERE ${inOrder("notifications", isOfBoard)}`);
}

/** Gives cards numbers of the target workspace; the old numbers become aliases. */
async function renumberCards(query: Query, boardId: bigint, targetId: bigint) {
  const [row] = await query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM cards WHERE "boardId" = ${boardId}`,
  );
  const firstNumber = await takeNumbers(query, targetId, row?.count ?? 0);
  await query(sql`INSERT INTO card_aliases ("workspaceId", number, "cardId")
    SELECT "workspaceId", number, id FROM cards WHERE "boardId" = ${boardId}`);
  // PostgreSQL may take the board for one of a single card, when its cards came in one statement. So
  // it is sorted once (MATERIALIZED), and each card is found by its id: a condition on the board here
  // would let it compare every card of the board with every other one.
  await query(sql`WITH new AS MATERIALIZED (
      SELECT id, (row_number() OVER (ORDER BY number))::int - 1 AS nth
      FROM cards WHERE "boardId" = ${boardId})
    UPDATE cards SET "workspaceId" = ${targetId}, number = ${firstNumber} + new.nth,
      "claimedById" = NULL, "claimExpiresAt" = NULL
    FROM new WHERE new.id = cards.id`);
}

/** How the rows of some tables move in a way of their own. */
const toWorkspace = new Map(
  Object.values(cardParts).flatMap((part) => Object.entries(part.toWorkspace ?? {})),
);

/** SQL: whether a row of a table is on a board, or on a card of it. */
function isOnBoard(boardId: bigint, name: string): Sql {
  const { table, column } = parentOf(name);
  const parent = sql.identifier(column);
  return table === "boards"
    ? sql`${parent} = ${boardId}`
    : sql`${parent} IN (SELECT id FROM ${sql.identifier(table)} WHERE ${isOnBoard(boardId, table)})`;
}

function moveRows(boardId: bigint, targetId: bigint): Sql[] {
  const move = (table: string, where: Sql) =>
    sql`UPDATE ${sql.identifier(table)} SET "workspaceId" = ${targetId} WHERE ${where}`;
  return [
    move("views", sql`"boardId" = ${boardId}`),
    move("api_keys", inOrder("api_keys", sql`"boardId" = ${boardId}`)),
    ...[...tablesOf(boardParts), ...tablesOf(declared)].flatMap(([name]) => {
      const where = isOnBoard(boardId, name);
      return toWorkspace.get(name)?.(where, targetId) ?? [move(name, where)];
    }),
  ];
}

/** Records of the target workspace win, so that its imports continue with their own. */
const moveImportRecords = (boardId: bigint, targetId: bigint): Sql[] => [
  sql`DELETE FROM imported_items t WHERE "boardId" = ${boardId} AND EXISTS (
    SELECT 1 FROM imported_items o WHERE o."workspaceId" = ${targetId} AND o.source = t.source
      AND o.kind = t.kind AND o."sourceId" = t."sourceId")`,
  sql`UPDATE imported_items SET "workspaceId" = ${targetId}, "importId" = NULL
    WHERE "boardId" = ${boardId}`,
];

/** Removes those who are not members of the target workspace from the board. */
function moveMembersOf(boardId: bigint, targetId: bigint): Sql[] {
  const isOfBoard = sql`"boardId" = ${boardId}`;
  const isMember = sql`EXISTS (SELECT 1 FROM members n WHERE n."workspaceId" = ${targetId}
    AND n."userId" = t."userId" AND n.status = 'active')`;
  return [
    ...moveMembers("board_members", isOfBoard, targetId),
    sql`DELETE FROM card_watchers t WHERE "cardId" IN (${cards(boardId)}) AND NOT ${isMember}`,
    sql`DELETE FROM board_favourites t WHERE ${isOfBoard} AND NOT ${isMember}`,
  ];
}

const statement = (workspaceId: bigint, count: number) =>
  sql`UPDATE workspaces SET "lastCardNumber" = "lastCardNumber" + ${count}
  WHERE id = ${workspaceId} RETURNING "lastCardNumber" - ${count} + 1 AS first`;

/** Takes the next `count` card numbers of a workspace, and answers the first of them. */
async function takeNumbers(query: Query, workspaceId: bigint, count: number): Promise<number> {
  return firstRow(await query<{ first: number }>(statement(workspaceId, count))).first;
}
