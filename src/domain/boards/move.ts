import { z } from "zod";
import { mayReach } from "../../kernel/procedures.ts";
import { permit } from "../../kernel/access/authorize.ts";
import { checkRoom } from "../../kernel/limits.ts";
import { checkVersion, type Work } from "../../kernel/unit-of-work.ts";
import { conflict } from "../../platform/errors.ts";
import { actorOf } from "../../kernel/events/actor.ts";
import { record } from "../../kernel/events/persist.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/rest.ts";
import { viewWebhook } from "../views/webhooks.ts";
import { carryOver, lockAll } from "./move-contents.ts";
import { slugIn } from "./slug.ts";
import { Board } from "../../contract/resources/boards.ts";
import { viewBoard } from "../views/boards.ts";
import { wholeBoard } from "./detail.ts";

/** Takes a board with all that is on it to another workspace. */
export const moveBoard = mayReach("board.move", z.strictObject({ workspacePublicId: PublicId }))
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
      return wholeBoard(ctx.db.query, board, workspace);
    }
    // Not `mayWrite`, which locks the board first: what is on it has to be locked before it.
    return transact(async (work) => {
      const allow = (name: "board.move" | "board.create", id: object, lock: boolean) =>
        permit(work.query, ctx, { name, input: { ...id }, writes: true, lock });
      await allow("board.create", { workspacePublicId }, false);
      await lockAll(work.query, board.id);
      await allow("board.move", { boardPublicId }, true);
      const found = await work.tx.board.findUniqueOrThrow({ where: { id: board.id } });
      if (found.workspaceId !== workspace.id) throw conflict("The board is on its way elsewhere.");
      checkVersion(ctx.ifMatch, found.version);

      const where = { publicId: workspacePublicId };
      const target = await work.tx.workspace.findUniqueOrThrow({ where });
      await work.lock("workspaces", [target.id]);
      await checkRoom(work, "boards", target.id);
      await carryOver(work.query, found, target.id, caller.userId);
      const slug = await slugIn(work.query, target.id, found);
      const after = await work.tx.board.update({
        where: { id: board.id },
        data: { workspaceId: target.id, slug, version: { increment: 1 }, updatedAt: work.now },
      });
      work.emit("board.moved", {
        board: viewBoard(after),
        from: { workspacePublicId: workspace.publicId },
        to: { workspacePublicId },
      });
      // Both workspaces are told: the one that it comes to here, the one that it leaves at the end.
      work.workspaceId = target.id;
      await record(work, actorOf(caller), ctx.origin);
      work.workspaceId = workspace.id;
      for (const webhook of await endWebhooks(work, board.id)) {
        work.emit("webhook.deleted", { webhook: viewWebhook(webhook, board) });
      }
      return wholeBoard(work.query, after, target);
    });
  });

/** Deletes the webhooks that are bound to a board, and takes every one off it; answers those that it has deleted. */
async function endWebhooks({ tx, now }: Work, boardId: bigint) {
  const ended = await tx.webhook.updateManyAndReturn({
    where: { boardId, deletedAt: null },
    data: { deletedAt: now, active: false, version: { increment: 1 }, updatedAt: now },
  });
  await tx.webhook.updateMany({ where: { boardId }, data: { boardId: null } });
  return ended;
}
