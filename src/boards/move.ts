import { z } from "zod";
import { mayReach } from "../access/may.ts";
import { permit } from "../access/permit.ts";
import { checkRoom } from "../db/room.ts";
import { checkVersion } from "../db/work.ts";
import { conflict } from "../errors.ts";
import { actorOf } from "../events/actor.ts";
import { record } from "../events/record.ts";
import { PublicId } from "../fields.ts";
import { rest } from "../http/rest.ts";
import { carryOver, lockAll } from "./carry.ts";
import { slugIn } from "./slug.ts";
import { Board, viewBoard } from "./view.ts";
import { wholeBoard } from "./whole.ts";

const endWebhooks = `UPDATE webhooks SET "boardId" = NULL, active = false, "deletedAt" = coalesce("deletedAt", $2::timestamptz)
  WHERE "boardId" = $1`;

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
      // Both workspaces are told: here the one that it leaves, at the end the one that it comes to.
      await record(work, actorOf(caller), ctx.origin);
      await work.query(endWebhooks, [board.id, work.now]);
      work.workspaceId = target.id;
      return wholeBoard(work.query, after, target);
    });
  });
