import { handlerContext } from "../../kernel/invocation/authorize-call.ts";
import { authorize } from "../../kernel/access/authorize.ts";
import type { TargetResources } from "../../kernel/access/resources.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Context } from "../../kernel/request/context.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";

type Source = Context & {
  card: { id: bigint };
  workspace: { id: bigint };
  tx: Pick<UnitOfWork, "query" | "lock">;
};

/**
 * Locks the card of a target and another one of its workspace, in the order of their ids. Answers
 * the other one with its parents, if the caller may change what is on it.
 */
export async function lockBothCards(
  ctx: Source,
  cardPublicId: string,
): Promise<TargetResources<"card">> {
  const { card, workspace, tx } = ctx;
  const [other] = await tx.query<{ id: bigint }>(sql`SELECT id FROM cards
    WHERE "publicId" = ${cardPublicId} AND "workspaceId" = ${workspace.id}`);
  if (other === undefined) throw notFound("card");
  const ids = [...new Set([card.id, other.id])];
  if ((await tx.lock("cards", ids)).length < ids.length) throw notFound("card");
  const create = { name: "relation.create", input: { cardPublicId } } as const;
  const authorized = await authorize(tx.query, ctx, { ...create, writes: true, lock: false });
  return handlerContext<"relation.create", object>(authorized, {});
}
