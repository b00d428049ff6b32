import { z } from "zod";
import { mayWrite } from "../access/may.ts";
import { keysAtEnd } from "../db/order.ts";
import { publicId } from "../db/public-id.ts";
import { checkRoom } from "../db/room.ts";
import type { Work } from "../db/work.ts";
import { conflict } from "../errors.ts";
import { ColourCode, name, text } from "../fields.ts";
import { rest } from "../http/rest.ts";
import { slugsFor } from "../workspaces/slug.ts";
import { Board, viewBoard } from "./view.ts";
import { wholeBoard } from "./whole.ts";

const NewBoard = z.strictObject({
  name: name(1, 255),
  description: text(0, 10_000).nullable().optional(),
  lists: z.array(name(1, 255)).max(50).optional(),
  labels: z
    .array(z.strictObject({ name: name(1, 36), colourCode: ColourCode }))
    .max(50)
    .optional(),
  type: z.enum(["regular", "template"]).optional(),
  visibility: z.enum(["private", "restricted", "public"]).optional(),
});

/** Makes a board in a workspace, with lists and labels when they are given; on a restricted one the caller is its first member. */
export const createBoard = mayWrite("board.create", NewBoard)
  .meta(
    rest("Boards").post(
      "/workspaces/{workspacePublicId}/boards",
      "Create a board",
      "Makes a board in a workspace, with lists and labels when they are given. On a restricted one the caller is the first member.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx: { workspace, standing, caller, work }, input }) => {
    await checkRoom(work.query, "boards", workspace.id);
    const board = await insert(work, workspace.id, caller.userId, input);
    const made = {
      workspaceId: workspace.id,
      boardId: board.id,
      createdById: caller.userId,
      createdAt: work.now,
      updatedAt: work.now,
    };
    const { lists = [], labels = [] } = input;
    const keys = await keysAtEnd(work.query, "list", board.id, lists.length);
    await work.tx.list.createMany({
      data: keys.map((position, place) => ({
        ...made,
        publicId: publicId(),
        name: lists[place] ?? "",
        position,
      })),
    });
    await work.tx.label.createMany({
      data: labels.map((label) => ({ ...made, publicId: publicId(), ...label })),
    });
    await work.tx.boardMember.create({
      data: {
        boardId: board.id,
        memberId: standing.id,
        workspaceId: workspace.id,
        createdAt: work.now,
      },
    });
    work.emit("board.created", { board: viewBoard(board) });
    return wholeBoard(work.query, board, workspace);
  });

async function insert(
  work: Work,
  workspaceId: bigint,
  createdById: bigint,
  input: z.infer<typeof NewBoard>,
) {
  const { name: named, description = null, type = "regular", visibility = "private" } = input;
  for (const slug of slugsFor(named)) {
    const [board] = await work.tx.board.createManyAndReturn({
      data: {
        publicId: publicId(),
        workspaceId,
        name: named,
        description,
        slug,
        type,
        visibility,
        createdById,
        createdAt: work.now,
        updatedAt: work.now,
      },
      skipDuplicates: true,
    });
    if (board !== undefined) return board;
  }
  throw conflict("No free slug could be made from the name.", ["name"]);
}
