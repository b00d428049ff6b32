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
import { moveContents, lockAll } from "./move-contents.ts";
import { slugIn } from "./slug.ts";
import { Board } from "../../contract/resources/boards.ts";
import { viewBoard } from "../views/boards.ts";
import { boardDetail } from "./detail.ts";

/** Takes a board with all that is on it to another workspace. */
export const moveBoard = externalMutation(
  "board.move",
  z.strictObject({ workspacePublicId: PublicId }),
)
  .meta(
    rest("Boards").post(
      "/boards/{boardPublicId}/move",
      "Move a board to another workspace",
      "Takes a board with all that is on it, its history and its trash to another workspace, where the caller needs board:create. Its cards get new numbers there in the order of the old ones, which still find them. Members who are not members there are taken off the board and its cards; webhooks that were bound to the board are deleted. It gets a slug with a suffix when its own is taken there.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx, input: { boardPublicId, workspacePublicId } }) => {
    const { board, workspace, caller, transact } = ctx;
    if (workspacePublicId === workspace.publicId) {
      return boardDetail(ctx.db.query, board, workspace);
    }
    // Not `mayWrite`, which locks the board first: what is on it has to be locked before it.
    return transact(async (tx) => {
      const allow = (name: "board.move" | "board.create", id: object, lock: boolean) =>
        authorize(tx.query, ctx, { name, input: { ...id }, writes: true, lock });
      await allow("board.create", { workspacePublicId }, false);
      await lockAll(tx.query, board.id);
      await allow("board.move", { boardPublicId }, true);
      const found = await tx.prisma.board.findUniqueOrThrow({ where: { id: board.id } });
      if (found.workspaceId !== workspace.id) throw conflict("The board is on its way elsewhere.");
      checkPrecondition(ctx.ifMatch, found.version);

      const where = { publicId: workspacePublicId };
      const target = await tx.prisma.workspace.findUniqueOrThrow({ where });
      await tx.lock("workspaces", [target.id]);
      await checkLimit(tx, "boards", target.id);
      await moveContents(tx.query, found, target.id, caller.userId);
      const slug = await slugIn(tx.query, target.id, found);
      const after = await tx.prisma.board.update({
        where: { id: board.id },
        data: { workspaceId: target.id, slug, version: { increment: 1 }, updatedAt: tx.now },
      });
      tx.emit("board.moved", {
        board: viewBoard(after),
        from: { workspacePublicId: workspace.publicId },
        to: { workspacePublicId },
      });
      // Both workspaces are told: the one that it comes to here, the one that it leaves at the end.
      tx.workspaceId = target.id;
      await persistEvents(tx, actorOf(caller), ctx.requestMetadata);
      tx.workspaceId = workspace.id;
      for (const webhook of await endWebhooks(tx, board.id)) {
        tx.emit("webhook.deleted", { webhook: viewWebhook(webhook, board) });
      }
      return boardDetail(tx.query, after, target);
    });
  });

/** Deletes the webhooks that are bound to a board, and takes every one off it; answers those that it has deleted. */
async function endWebhooks({ prisma, now }: UnitOfWork, boardId: bigint) {
  const ended = await prisma.webhook.updateManyAndReturn({
    where: { boardId, deletedAt: null },
    data: { deletedAt: now, active: false, version: { increment: 1 }, updatedAt: now },
  });
  await prisma.webhook.updateMany({ where: { boardId }, data: { boardId: null } });
  return ended;
}
