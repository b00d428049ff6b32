import type { Deps } from "../../../kernel/request/deps.ts";
import { actorOf } from "../../../kernel/events/actor.ts";
import { persistEvents } from "../../../kernel/events/persist.ts";
import { runInTransaction } from "../../../kernel/events/transaction.ts";
import { sql } from "../../../platform/db/sql.ts";
import { showWebhook } from "../../../domain/presenters/webhooks.ts";
import type { AttemptResult, WebhookHealth } from "./results.ts";

/** Why a webhook is disabled: its receiver answered 410, or has failed for too long. */
export type DisableReason = "gone" | "failing";

const goneStatus = 410;
const maxFailingMs = 5 * 24 * 60 * 60_000;

/** Whether the receiver asks for no more deliveries. */
export const answeredGone = ({ statusCode }: Pick<AttemptResult, "statusCode">) =>
  statusCode === goneStatus;

/** The webhooks to disable after some attempts, with the reason. */
export function webhooksToDisable(
  results: AttemptResult[],
  health: WebhookHealth[],
  now: Date,
): Map<bigint, DisableReason> {
  const limit = now.getTime() - maxFailingMs;
  const failing = health.filter(
    (webhook) => (webhook.failingSince?.getTime() ?? Infinity) <= limit,
  );
  return new Map<bigint, DisableReason>([
    ...failing.map(({ webhookId }) => [webhookId, "failing"] as const),
    ...results.filter(answeredGone).map(({ webhookId }) => [webhookId, "gone"] as const),
  ]);
}

/** Disables a webhook and emits `webhook.disabled`, unless it is inactive or has recovered. */
export async function disableWebhook(deps: Deps, id: bigint, reason: DisableReason): Promise<void> {
  await runInTransaction(deps, ["webhook.disabled"], async (tx) => {
    const since = new Date(tx.now.getTime() - maxFailingMs);
    const isFailing =
      reason === "failing" ? sql`AND "failingSince" <= ${since}::timestamptz` : sql.empty;
    const [locked] = await tx.query(sql`SELECT id FROM webhooks
      WHERE id = ${id} AND active AND "deletedAt" IS NULL ${isFailing} FOR NO KEY UPDATE`);
    if (locked === undefined) return;
    const after = await tx.prisma.webhook.update({
      where: { id },
      data: { active: false, version: { increment: 1 }, updatedAt: tx.now },
      include: { board: { select: { publicId: true } } },
    });
    tx.workspaceId = after.workspaceId;
    const webhook = showWebhook(after, after.board);
    const change = { from: true, to: false };
    tx.emit("webhook.disabled", { webhook, reason }, { isActive: change, active: change });
    await persistEvents(tx, actorOf(null), null);
  });
}
