import { z } from "zod";
import { externalMutation } from "../../kernel/procedures.ts";
import { authorize } from "../../kernel/access/authorize.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { checkPrecondition, type UnitOfWork } from "../../kernel/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { actorOf } from "../../kernel/events/actor.ts";
import { persistEvents } from "../../kernel/events/persist.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { viewWebhook } from "../views/webhooks.ts";
import { moveContents, lockContents } from "./move-contents.ts";
import { freeSlug } from "./slug.ts";
import { Board } from "../../contract/resources/boards.ts";
import { viewBoard } from "../views/boards.ts";
import { boardDetail } from "./detail.ts";

/** Moves a board with its contents to another workspace. */
export const moveBoard = externalMutation(
  "board.move",
  z.strictObject({ workspacePublicId: PublicId }),
)
  .meta(
    rest("Boards").post(
      "/boards/{boardPublicId}/move",
      "Move a board to another workspace",
      "Moves a board with its contents and trash to a workspace where the caller has " +
        "board:create. Its cards get new numbers; the old numbers still find them. Assignees who " +
        "are not members there are removed, and webhooks bound to the board are deleted. The " +
        "board gets a slug with a suffix when its slug is taken there.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx, input: { boardPublicId, workspacePublicId } }) => {
    const { board, workspace, caller, transact } = ctx;
    if (workspacePublicId === workspace.publicId) {
      return boardDetail(ctx.db.query, board, workspace);
    }
    // The contents must be locked before the board, which a plain mutation locks first.
    return transact(async (tx) => {
      const authorizeCall = (name: "board.move" | "board.create", id: object, lock: boolean) =>
        authorize(tx.query, ctx, { name, input: { ...id }, writes: true, lock });
      await authorizeCall("board.create", { workspacePublicId }, false);
      await lockContents(tx.query, board.id);
      await authorizeCall("board.move", { boardPublicId }, true);
      const found = await tx.prisma.board.findUniqueOrThrow({ where: { id: board.id } });
      if (found.workspaceId !== workspace.id)
        throw conflict("The board was moved by another request.");
      checkPrecondition(ctx.ifMatch, found.version);

      const where = { publicId: workspacePublicId };
      const target = await tx.prisma.workspace.findUniqueOrThrow({ where });
      await tx.lock("workspaces", [target.id]);
      await checkLimit(tx, "boards", target.id);
      await moveContents(tx.query, found, target.id, caller.userId);
      const slug = await freeSlug(tx.query, target.id, found);
      const after = await tx.prisma.board.update({
        where: { id: board.id },
        data: { workspaceId: target.id, slug, version: { increment: 1 }, updatedAt: tx.now },
      });
      tx.emit("board.moved", {
        board: viewBoard(after),
        from: { workspacePublicId: workspace.publicId },
        to: { workspacePublicId },
      });
      // The event belongs to both workspaces: the target here, the source at commit.
      tx.workspaceId = target.id;
      await persistEvents(tx, actorOf(caller), ctx.requestMetadata);
      tx.workspaceId = workspace.id;
      for (const webhook of await deleteWebhooks(tx, board.id)) {
        tx.emit("webhook.deleted", { webhook: viewWebhook(webhook, board) });
      }
      return boardDetail(tx.query, after, target);
    });
  });

/** Deletes the webhooks that are bound to a board, and answers them; unbinds deleted ones. */
async function deleteWebhooks({ prisma, now }: UnitOfWork, boardId: bigint) {
  const deleted = await prisma.webhook.updateManyAndReturn({
    where: { boardId, deletedAt: null },
    data: { deletedAt: now, active: false, version: { increment: 1 }, updatedAt: now },
  });
  await prisma.webhook.updateMany({ where: { boardId }, data: { boardId: null } });
  return deleted;
}
