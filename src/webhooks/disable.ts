import type { Deps } from "../deps.ts";
import { actorOf } from "../events/actor.ts";
import { announcing } from "../events/announcing.ts";
import { record } from "../events/record.ts";
import { viewWebhook } from "./view.ts";

/** After how long of nothing but failures a webhook is disabled. */
export const patienceMs = 5 * 24 * 60 * 60_000;

const hold = `SELECT id FROM webhooks WHERE id = $1 AND active AND "deletedAt" IS NULL
  AND ($2::timestamptz IS NULL OR "failingSince" <= $2::timestamptz) FOR NO KEY UPDATE`;

/** Disables a webhook whose target is gone, or still fails after all this time, and tells of it. */
export async function disable(deps: Deps, id: bigint, reason: "gone" | "failing"): Promise<void> {
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
