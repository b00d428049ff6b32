import { z } from "zod";
import { mayWrite } from "../../kernel/procedures.ts";
import { keysAtEnd } from "../../kernel/positions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkCount, checkRoom } from "../../kernel/limits.ts";
import { ColourCode, name, PublicId, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { copyOnto } from "./copy.ts";
import { insertBoard } from "./insert.ts";
import { findSource } from "./copy-source.ts";
import { Board } from "../../contract/resources/boards.ts";
import { viewBoard } from "../views/boards.ts";
import { wholeBoard } from "./detail.ts";

const NewBoard = z
  .strictObject({
    name: name(1, 255),
    description: text(0, 10_000).nullable().optional(),
    lists: z.array(name(1, 255)).max(50).optional(),
    labels: z
      .array(z.strictObject({ name: name(1, 36), colourCode: ColourCode }))
      .max(50)
      .optional(),
    type: z.enum(["regular", "template"]).optional(),
    visibility: z.enum(["private", "restricted", "public"]).optional(),
    sourceBoardPublicId: PublicId.optional(),
  })
  .refine(
    ({ sourceBoardPublicId, lists, labels }) =>
      sourceBoardPublicId === undefined || (lists === undefined && labels === undefined),
    {
      error: "A copy has the lists and labels of its source: none may be given beside it",
      path: ["sourceBoardPublicId"],
    },
  );

/** Makes a board in a workspace, with lists and labels when they are given, or as a copy of another; on a restricted one the caller is its first member. */
export const createBoard = mayWrite("board.create", NewBoard)
  .meta(
    rest("Boards").post(
      "/workspaces/{workspacePublicId}/boards",
      "Create a board",
      "Makes a board in a workspace, with lists and labels when they are given, or as a copy of the board or template that `sourceBoardPublicId` names: its description, lists, labels, cards with their labels, dates and checklists, all in their order, but nothing that is archived, nobody who is on them, and nothing ticked off. On a restricted one the caller is the first member.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx, input }) => {
    const { workspace, standing, caller, work } = ctx;
    await checkRoom(work, "boards", workspace.id);
    const { sourceBoardPublicId: from, lists = [], labels = [] } = input;
    checkCount(work.rooms, "lists", lists.length);
    checkCount(work.rooms, "labels", labels.length);
    const source = from === undefined ? null : await findSource(work.query, from, ctx);
    const { description = source?.description ?? null } = input;
    const board = await insertBoard(work, workspace.id, caller.userId, { ...input, description });
    const made = {
      workspaceId: workspace.id,
      boardId: board.id,
      createdById: caller.userId,
      createdAt: work.now,
      updatedAt: work.now,
    };
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
    const seat = { boardId: board.id, memberId: standing.id, workspaceId: workspace.id };
    await work.tx.boardMember.create({ data: { ...seat, createdAt: work.now } });
    if (source !== null) await copyOnto(work, source.id, made);
    work.emit("board.created", { board: viewBoard(board) });
    return wholeBoard(work.query, board, workspace);
  });
