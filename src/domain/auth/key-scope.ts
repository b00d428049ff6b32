import { authorize } from "../../kernel/access/authorize.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import type { Context } from "../../kernel/request/context.ts";

/** The filter for the active keys of an account. */
export const activeKeys = (userId: bigint, now: Date) => ({
  userId,
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

type ScopeInput = { workspacePublicId?: string | undefined; boardPublicId?: string | undefined };

/** Resolves the workspace and board of a new key. The caller must be able to read them. */
export async function resolveScope({ prisma, query }: UnitOfWork, ctx: Context, input: ScopeInput) {
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
  const inWorkspace =
    workspacePublicId === undefined ? {} : { workspace: { publicId: workspacePublicId } };
  const board = await prisma.board.findUnique({
    where: { publicId: boardPublicId, ...inWorkspace },
  });
  if (board === null) throw notFound("board");
  await check("board.get");
  return { workspaceId: board.workspaceId, boardId: board.id };
}
