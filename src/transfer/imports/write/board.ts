import { holdsPermission, isVisibleTo } from "../../../kernel/access/visibility.ts";
import { sql } from "../../../platform/db/sql.ts";
import { viewBoard } from "../../../domain/views/boards.ts";
import type { Board as BoardRow } from "../../../platform/db/rows.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import { insertBoard } from "../../../domain/boards/insert.ts";
import { insertJoins } from "../bulk/rows.ts";
import { forgetGone, knownThings, remember } from "../bulk/imported.ts";
import { ImportFailure } from "../failure.ts";
import type { SourceBoard } from "../model.ts";
import type { Home, ImportRun } from "../context.ts";
import { labelsOf } from "./labels.ts";
import { listsOf } from "./lists.ts";
import type { Making, Target } from "./step.ts";

/** Makes a board with its lists and labels, or finds what there is of it already. */
export const writeBoard = (run: ImportRun, source: SourceBoard): Promise<Target> =>
  run.step(async (tx, made, home) => {
    const making = { run, tx, made, home };
    const board = await boardOf(making, source);
    return {
      board,
      lists: await listsOf(making, board, source.lists),
      labels: await labelsOf(making, board, source.labels),
    };
  });

async function boardOf({ run, tx, made, home }: Making, source: SourceBoard): Promise<BoardRow> {
  const { sourceId, name, description } = source;
  await forgetGone(tx.query, run.row, sourceId);
  const known = (await knownThings(tx.query, run.row, [{ kind: "board", sourceId }]))({
    kind: "board",
    sourceId,
  });
  if (known !== undefined) {
    made.add("board", known.mine ? "created" : "alreadyThere");
    await checkOpen(tx, run, known.targetId);
    await tx.lock("boards", [known.targetId]);
    return tx.prisma.board.findUniqueOrThrow({ where: { id: known.targetId } });
  }
  await checkBoards(tx, home);
  const userId = run.row.createdById ?? 0n;
  const plain = await insertBoard(tx, home.id, userId, { name, description });
  const board = await tx.prisma.board.update({
    where: { id: plain.id },
    data: {
      archivedAt: source.isArchived ? tx.now : null,
      createdAt: source.createdAt ?? tx.now,
      updatedAt: tx.now,
    },
  });
  await seat(tx, home.id, board.id, userId);
  await remember(tx, run.row, board.id, [{ kind: "board", sourceId, targetId: board.id }]);
  made.add("board", "created");
  tx.emit("board.created", { board: viewBoard(board) });
  return board;
}

async function checkBoards({ query, limits }: UnitOfWork, home: Home) {
  const [row] = await query<{ full: boolean }>(
    `SELECT count(*) >= $2 AS full FROM boards WHERE "workspaceId" = $1 AND "deletedAt" IS NULL`,
    [home.id, limits.boards],
  );
  if (row?.full) throw new ImportFailure(`The workspace has ${limits.boards} boards, the most.`);
}

/** Whoever makes a board is on it, should it be restricted one day. */
async function seat(tx: UnitOfWork, workspaceId: bigint, boardId: bigint, userId: bigint) {
  const member = await tx.prisma.member.findFirst({ where: { workspaceId, userId } });
  if (member === null) return;
  const join = { boardId, memberId: member.id, workspaceId, createdAt: tx.now };
  await insertJoins(tx.query, "board_members", [join]);
}

const manages = holdsPermission(sql`'workspace:manage'`);
const openTo = (boardId: bigint, userId: bigint | null) =>
  sql`SELECT ${isVisibleTo(sql`m.id`, manages)} AS open FROM boards b
    JOIN members m ON m."workspaceId" = b."workspaceId" AND m."userId" = ${userId}
      AND m.status = 'active'
    JOIN roles r ON r.id = m."roleId"
    WHERE b.id = ${boardId}`;

/** A board that came over before may have been closed to whoever repeats its import. */
async function checkOpen({ query }: UnitOfWork, { row }: ImportRun, boardId: bigint) {
  const [found] = await query<{ open: boolean }>(openTo(boardId, row.createdById));
  if (found?.open !== true) {
    throw new ImportFailure(
      "The board is here already, and open only to members who were added to it.",
    );
  }
}
