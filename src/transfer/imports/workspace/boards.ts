import { viewBoard } from "../../../domain/views/boards.ts";
import { slugsFor } from "../../../domain/slugs.ts";
import type { Items } from "../../exports/format.ts";
import { insertJoins, insertRows } from "../bulk/rows.ts";
import { remember } from "../bulk/imported.ts";
import { generateNKeysBetween } from "fractional-indexing";
import { findIn, moment, rowOf, step, type Bringing, type Making } from "./target.ts";

type Board = Items["boards"];

/** Makes a board with its labels and lists, and who is on it. One that an earlier run made is left as it is. */
export const bringBoard = (bringing: Bringing, board: Board): Promise<void> =>
  step(bringing, async (making) => {
    const { tx, made, ids, home, run } = making;
    made.add("board", "created");
    made.add("label", "created", board.labels.length);
    made.add("list", "created", board.lists.length);
    const there = await findIn(tx.query, "boards", home, [ids(board.publicId)]);
    if (there.size > 0) return;
    const row = await insert(making, board);
    await remember(tx, run.row, row.id, [
      { kind: "board", sourceId: board.publicId, targetId: row.id },
    ]);
    await insertRows(
      tx.query,
      "labels",
      board.labels.map((label) => ({
        ...rowOf(making, { ...board, ...label }),
        boardId: row.id,
        name: label.name,
        colourCode: label.colourCode,
      })),
    );
    const keys = generateNKeysBetween(null, null, board.lists.length);
    await insertRows(
      tx.query,
      "lists",
      board.lists.map((list, place) => ({
        ...rowOf(making, list),
        boardId: row.id,
        name: list.name,
        position: keys[place] ?? "",
        wipLimit: list.wipLimit,
        archivedAt: moment(list.archivedAt),
      })),
    );
    await seat(making, board, row.id);
    tx.emit("board.created", { board: viewBoard(row) });
  });

async function insert(making: Making, board: Board) {
  const { tx, home } = making;
  const { name, description, type, visibility } = board;
  const slug = board.slug.toLowerCase();
  for (const candidate of [slug, ...slugsFor(slug)]) {
    const [row] = await tx.prisma.board.createManyAndReturn({
      data: {
        ...rowOf(making, board),
        name,
        description,
        slug: candidate,
        type,
        visibility,
        archivedAt: moment(board.archivedAt),
      },
      skipDuplicates: true,
    });
    if (row !== undefined) return row;
  }
  throw new Error(`No slug was free in workspace ${home.publicId}.`);
}

async function seat({ tx, made, ids, home }: Making, board: Board, boardId: bigint) {
  const wanted = board.memberPublicIds.map(ids);
  const members = await findIn(tx.query, "members", home, wanted);
  const count = wanted.length - members.size;
  if (count > 0) made.lose({ kind: "boardMember", name: board.name, reason: notHere, count });
  await insertJoins(
    tx.query,
    "board_members",
    [...members.values()].map((memberId) => ({
      boardId,
      memberId,
      workspaceId: home.id,
      createdAt: tx.now,
    })),
  );
}

/** What is said of members who did not come over. */
export const notHere = "The member did not come over.";
