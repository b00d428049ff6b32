import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { authorize } from "../../kernel/access/authorize.ts";
import { checkLimit } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict, notFound, missingPermission } from "../../platform/errors.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showWebhook } from "../presenters/webhooks.ts";
import { moveContents, lockContents } from "./move-contents.ts";
import { checkPublishing } from "./publish.ts";
import { freeSlug } from "./slug.ts";
import { Board } from "../../contract/resources/boards.ts";
import { showBoard } from "../presenters/boards.ts";
import { filterOutput } from "../../kernel/access/filter-output.ts";
import { dropCrossingRelations } from "../relations/drop-crossing.ts";
import { boardDetail } from "./detail.ts";
import { withAccessChanges } from "../access-changes.ts";

const Move = z.strictObject({ workspacePublicId: inputId("workspace") });

/** Moves a board with its contents to another workspace. */
export const moveBoard = mutation("board.move", Move, {
  /** Answers the caller's membership in the other workspace. */
  async beforeLock(ctx, { workspacePublicId }) {
    const { board, workspace, tx } = ctx;
    if (workspacePublicId === workspace.publicId) return null;
    const create = { name: "board.create", input: { workspacePublicId } } as const;
    const { membership } = await authorize(tx.query, ctx, { ...create, writes: true, lock: false });
    if (membership === null) throw notFound("workspace");
    await tx.allowLongStatements();
    await lockContents(tx.query, board.id);
    return { workspaceId: workspace.id, membership };
  },
})
  .meta(
    rest("Boards").post(
      "/boards/{boardPublicId}/move",
      "Move a board to another workspace",
      "Moves a board with its contents and trash to another workspace. The other workspace " +
        "requires `board:create` and `board:view`, and `board:edit` if the board is public. The " +
        "cards get new numbers; the old numbers still find them. Assignees who are not members " +
        "there, or cannot see the board, are removed. Views of the board move with it, and webhooks " +
        "bound to it are deleted. Relations to cards that stay end: each such card has a " +
        "`relation.deleted`, for those who see both. Returns 409 if the workspace has too many boards or views. " +
        "If the slug is taken there, the board gets one with a suffix.",
    ),
  )
  .output(Board)
  .mutation(async ({ ctx, input: { workspacePublicId } }) => {
    const { board, workspace, caller, tx, before } = ctx;
    if (before === null) return boardDetail(tx.query, board, workspace);
    const { membership } = before;
    if (board.workspaceId !== before.workspaceId) {
      throw conflict("board_moving", "Another request is moving the board. Try again.");
    }
    checkPublishing(membership, board.visibility);
    if (!membership.may.has("board:view")) throw missingPermission("board:view");

    await lockWebhooks(tx, board.id);
    const where = { publicId: workspacePublicId };
    const target = await tx.prisma.workspace.findUniqueOrThrow({ where });
    const after = await withAccessChanges(
      tx,
      { boardId: board.id },
      [workspace.id, target.id],
      async () => {
        await checkLimit(tx, "boards", target.id);
        await checkLimit(tx, "views", target.id, await countViews(tx, board.id));
        await dropCrossingRelations(tx, board.id, workspace);
        await moveContents(tx.query, board, target.id, caller.userId);
        const slug = await freeSlug(tx, target.id, board);
        const row = await tx.prisma.board.update({
          where: { id: board.id },
          data: { workspaceId: target.id, slug, version: { increment: 1 }, updatedAt: tx.now },
        });
        const data = {
          board: showBoard(row),
          from: { workspacePublicId: workspace.publicId },
          to: { workspacePublicId },
        };
        tx.emitIn(target.id, "board.moved", data);
        tx.emitIn(workspace.id, "board.moved", data);
        return row;
      },
    );
    for (const webhook of await deleteWebhooks(tx, board.id)) {
      tx.emit("webhook.deleted", { webhook: showWebhook(webhook, board) });
    }
    const detail = await boardDetail(tx.query, after, target);
    return Board.parse(filterOutput(Board, detail, membership.may));
  });

/** Locks the webhooks of a board, the deleted ones included, before the workspaces. */
const lockWebhooks = ({ query }: UnitOfWork, boardId: bigint) =>
  query(sql`SELECT 1 FROM webhooks WHERE "boardId" = ${boardId} ORDER BY id FOR NO KEY UPDATE`);

/** Counts the views of a board, which move with it. */
async function countViews({ query }: UnitOfWork, boardId: bigint): Promise<number> {
  const [row] = await query<{ count: number }>(sql`SELECT count(*)::int AS count FROM views
    WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL`);
  return row?.count ?? 0;
}

/** Deletes the webhooks that are bound to a board, and answers them; unbinds deleted ones. */
async function deleteWebhooks({ prisma, now }: UnitOfWork, boardId: bigint) {
  const deleted = await prisma.webhook.updateManyAndReturn({
    where: { boardId, deletedAt: null },
    data: { deletedAt: now, active: false, version: { increment: 1 }, updatedAt: now },
  });
  await prisma.webhook.updateMany({ where: { boardId }, data: { boardId: null } });
  return deleted;
}
