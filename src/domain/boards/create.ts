import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { appendPositions } from "../../kernel/positions.ts";
import { publicId } from "../../platform/db/public-id.ts";
import { checkCount, checkLimit } from "../../kernel/limits.ts";
import { ColourCode, name, PublicId, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { copyContents } from "./copy-contents.ts";
import { insertBoard } from "./insert.ts";
import { findSource } from "./copy-source.ts";
import { Board } from "../../contract/resources/boards.ts";
import { viewBoard } from "../views/boards.ts";
import { boardDetail } from "./detail.ts";

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
export const createBoard = mutation("board.create", NewBoard)
  .meta(
    rest("Boards").post(
      "/workspaces/{workspacePublicId}/boards",
      "Create a board",
      "Makes a board in a workspace, with lists and labels when they are given, or as a copy of the board or template that `sourceBoardPublicId` names: its description, lists, labels, cards with their labels, dates and checklists, all in their order, but nothing that is archived, nobody who is on them, and nothing ticked off. On a restricted one the caller is the first member.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx, input }) => {
    const { workspace, membership, caller, tx } = ctx;
    await checkLimit(tx, "boards", workspace.id);
    const { sourceBoardPublicId: from, lists = [], labels = [] } = input;
    checkCount(tx.limits, "lists", lists.length);
    checkCount(tx.limits, "labels", labels.length);
    const source = from === undefined ? null : await findSource(tx.query, from, ctx);
    const { description = source?.description ?? null } = input;
    const board = await insertBoard(tx, workspace.id, caller.userId, { ...input, description });
    const made = {
      workspaceId: workspace.id,
      boardId: board.id,
      createdById: caller.userId,
      createdAt: tx.now,
      updatedAt: tx.now,
    };
    const keys = await appendPositions(tx.query, "list", board.id, lists.length);
    await tx.prisma.list.createMany({
      data: keys.map((position, place) => ({
        ...made,
        publicId: publicId(),
        name: lists[place] ?? "",
        position,
      })),
    });
    await tx.prisma.label.createMany({
      data: labels.map((label) => ({ ...made, publicId: publicId(), ...label })),
    });
    const seat = { boardId: board.id, memberId: membership.id, workspaceId: workspace.id };
    await tx.prisma.boardMember.create({ data: { ...seat, createdAt: tx.now } });
    if (source !== null) await copyContents(tx, source.id, made);
    tx.emit("board.created", { board: viewBoard(board) });
    return boardDetail(tx.query, board, workspace);
  });
