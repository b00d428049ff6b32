import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { changesBetween, present } from "../../kernel/events/changes.ts";
import { conflict } from "../../platform/errors.ts";
import { name, Slug, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { reservedSlugs } from "../slugs.ts";
import { isTaken } from "./slug.ts";
import { BoardInfo } from "../../contract/resources/boards.ts";
import { viewBoard } from "../views/boards.ts";

const Update = z.strictObject({
  name: name(1, 255).optional(),
  description: text(0, 10_000).nullable().optional(),
  slug: Slug.optional(),
  visibility: z.enum(["private", "restricted", "public"]).optional(),
  isArchived: z.boolean().optional(),
});

/** Changes the fields of a board that are given; whoever restricts it is on it. */
export const updateBoard = mutation("board.update", Update)
  .meta(
    rest("Boards").put(
      "/boards/{boardPublicId}",
      "Change a board",
      "Changes the fields that are given; `null` clears the description. A slug is kept in lower case; one that is reserved, or that another live board of the workspace has, is a conflict. Whoever makes a board restricted is on it.",
    ),
  )
  .output(BoardInfo)
  .mutation(async ({ ctx: { board, workspace, membership, tx }, input }) => {
    const { name: named, description, visibility, isArchived } = input;
    const slug = input.slug?.toLowerCase();
    const archivedAt =
      isArchived === undefined ? undefined : isArchived ? (board.archivedAt ?? tx.now) : null;
    const given = present({ name: named, description, slug, visibility, archivedAt });
    const { isArchived: archiving, ...changes } = changesBetween(
      viewBoard(board),
      viewBoard({ ...board, ...given }),
    );
    const isChanged = Object.keys(changes).length > 0;
    if (!isChanged && archiving === undefined) return viewBoard(board);
    if (slug !== undefined && changes["slug"] !== undefined) {
      if (reservedSlugs.includes(slug)) throw conflict("The slug is reserved.", ["slug"]);
      // Whoever gives a board a slug holds the workspace meanwhile.
      await tx.lock("workspaces", [workspace.id]);
      if (await isTaken(tx.query, workspace.id, slug, board.id)) {
        throw conflict("The slug is taken.", ["slug"]);
      }
    }
    if (visibility === "restricted" && changes["visibility"] !== undefined) {
      const seat = { boardId: board.id, memberId: membership.id, workspaceId: workspace.id };
      await tx.prisma.boardMember.createMany({
        data: { ...seat, createdAt: tx.now },
        skipDuplicates: true,
      });
    }
    const after = viewBoard(
      await tx.prisma.board.update({
        where: { id: board.id },
        data: { ...given, version: { increment: 1 }, updatedAt: tx.now },
      }),
    );
    if (isChanged) tx.emit("board.updated", { board: after }, changes);
    if (archiving !== undefined) {
      const told = archiving.to === true ? "board.archived" : "board.unarchived";
      tx.emit(told, { board: after }, { isArchived: archiving });
    }
    return after;
  });
