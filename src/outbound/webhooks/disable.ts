import type { Deps } from "../../kernel/request/deps.ts";
import { actorOf } from "../../kernel/events/actor.ts";
import { runInTransaction } from "../../kernel/events/transaction.ts";
import { persistEvents } from "../../kernel/events/persist.ts";
import type { Health, Result } from "./results.ts";
import { viewWebhook } from "../../domain/views/webhooks.ts";
import { sql } from "../../platform/db/sql.ts";

/** Why a webhook is disabled: its target has said that it is gone, or has failed for too long. */
export type Doom = "gone" | "failing";

const gone = 410;
const patienceMs = 5 * 24 * 60 * 60_000;

const hold = (id: bigint, since: Date | null) =>
  sql`SELECT id FROM webhooks WHERE id = ${id} AND active AND "deletedAt" IS NULL
  AND (${since}::timestamptz IS NULL OR "failingSince" <= ${since}::timestamptz) FOR NO KEY UPDATE`;

/** Whether a target has said that nothing is to come any more. */
export const saysGone = ({ statusCode }: Pick<Result, "statusCode">) => statusCode === gone;

/** The webhooks that are to be disabled after some attempts, and why. */
export function doomed(results: Result[], health: Health[], now: Date): Map<bigint, Doom> {
  const longAgo = now.getTime() - patienceMs;
  const failing = health.filter((one) => (one.failingSince?.getTime() ?? Infinity) <= longAgo);
  return new Map<bigint, Doom>([
    ...failing.map(({ webhookId }) => [webhookId, "failing"] as const),
    ...results.filter(saysGone).map(({ webhookId }) => [webhookId, "gone"] as const),
  ]);
}

/** Disables a webhook, unless it is not active any more or has recovered, and tells of it. */
export async function disable(deps: Deps, id: bigint, reason: Doom): Promise<void> {
  await runInTransaction(deps, ["webhook.disabled"], async (tx) => {
    const since = reason === "failing" ? new Date(tx.now.getTime() - patienceMs) : null;
    const [held] = await tx.query(hold(id, since));
    if (held === undefined) return;
    const after = await tx.prisma.webhook.update({
      where: { id },
      data: { active: false, version: { increment: 1 }, updatedAt: tx.now },
      include: { board: { select: { publicId: true } } },
    });
    tx.workspaceId = after.workspaceId;
    const webhook = viewWebhook(after, after.board);
    tx.emit("webhook.disabled", { webhook, reason }, { active: { from: true, to: false } });
    await persistEvents(tx, actorOf(null), null);
  });
}
