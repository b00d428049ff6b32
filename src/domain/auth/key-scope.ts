import { authorize } from "../../kernel/access/authorize.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import type { Context } from "../../kernel/request/context.ts";

/** Which keys of an account are good. */
export const live = (userId: bigint, now: Date) => ({
  userId,
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

type Place = { workspacePublicId?: string | undefined; boardPublicId?: string | undefined };

/** The workspace and the board that a key is bound to: such as the caller may read now. */
export async function placeOf({ prisma, query }: UnitOfWork, ctx: Context, input: Place) {
  const { workspacePublicId, boardPublicId } = input;
  const check = (name: "workspace.get" | "board.get") =>
    authorize(query, ctx, { name, input, writes: false, lock: false });
  if (workspacePublicId !== undefined) await check("workspace.get");
  if (boardPublicId === undefined) {
    const workspace =
      workspacePublicId === undefined
        ? null
        : await prisma.workspace.findUniqueOrThrow({ where: { publicId: workspacePublicId } });
    return { workspaceId: workspace?.id ?? null };
  }
  const within =
    workspacePublicId === undefined ? {} : { workspace: { publicId: workspacePublicId } };
  const board = await prisma.board.findUnique({ where: { publicId: boardPublicId, ...within } });
  if (board === null) throw notFound("board");
  await check("board.get");
  return { workspaceId: board.workspaceId, boardId: board.id };
}
