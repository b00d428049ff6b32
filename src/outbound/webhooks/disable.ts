import type { Deps } from "../../kernel/deps.ts";
import { actorOf } from "../../kernel/events/actor.ts";
import { announcing } from "../../kernel/events/transaction.ts";
import { record } from "../../kernel/events/persist.ts";
import type { Health, Result } from "./results.ts";
import { viewWebhook } from "../../domain/views/webhooks.ts";

/** Why a webhook is disabled: its target has said that it is gone, or has failed for too long. */
export type Doom = "gone" | "failing";

const gone = 410;
const patienceMs = 5 * 24 * 60 * 60_000;

const hold = `SELECT id FROM webhooks WHERE id = $1 AND active AND "deletedAt" IS NULL
  AND ($2::timestamptz IS NULL OR "failingSince" <= $2::timestamptz) FOR NO KEY UPDATE`;

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
  await announcing(deps, ["webhook.disabled"], async (work) => {
    const since = reason === "failing" ? new Date(work.now.getTime() - patienceMs) : null;
    const [held] = await work.query(hold, [id, since]);
    if (held === undefined) return;
    const after = await work.tx.webhook.update({
      where: { id },
      data: { active: false, version: { increment: 1 }, updatedAt: work.now },
      include: { board: { select: { publicId: true } } },
    });
    work.workspaceId = after.workspaceId;
    const webhook = viewWebhook(after, after.board);
    work.emit("webhook.disabled", { webhook, reason }, { active: { from: true, to: false } });
    await record(work, actorOf(null), null);
  });
}
