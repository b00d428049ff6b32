import type { Deps } from "../../../kernel/request/deps.ts";
import { bodyOf } from "../message/payload.ts";
import { sendRequest, type RequestResult, type WebhookRequest } from "../message/request.ts";
import { openSecrets } from "../message/secrets.ts";
import { answeredGone } from "./disable.ts";
import type { DueDelivery } from "./lease-due.ts";
import type { AttemptResult } from "./results.ts";
import { nextAttemptAt } from "./retry-schedule.ts";

/** How an attempt is limited: `signal` aborts it, `admit` postpones it. */
export type AttemptLimits = { signal: AbortSignal } & Required<Pick<WebhookRequest, "admit">>;

/** Attempts a delivery once; null when it was aborted or postponed. */
export async function attempt(
  deps: Deps,
  delivery: DueDelivery,
  limits: AttemptLimits,
): Promise<AttemptResult | null> {
  const startedAt = deps.clock();
  const result = await send(deps, delivery, startedAt, limits);
  if (result.isPostponed === true || (limits.signal.aborted && !result.ok)) return null;
  const { id, webhookId, attemptCount, isLastAttempt } = delivery;
  const {
    ok,
    statusCode = null,
    error = null,
    durationMs,
    responseText,
    retryAfterSeconds,
  } = result;
  const endedAt = deps.clock();
  const isFinal = ok || isLastAttempt || answeredGone({ statusCode });
  const attempts = { failedAt: endedAt, count: attemptCount + 1 };
  return {
    id,
    webhookId,
    ok,
    startedAt,
    endedAt,
    nextAttemptAt: isFinal
      ? null
      : nextAttemptAt(attempts, deps.config.WEBHOOK_RETRY_SCHEDULE, retryAfterSeconds),
    statusCode,
    error,
    durationMs,
    response: await storedText(deps, delivery, responseText),
  };
}

/** The response as it is stored: empty once the workspace has stored as much as it may in a day. */
async function storedText({ limits }: Deps, { workspaceId }: DueDelivery, text: string) {
  const bytes = Buffer.byteLength(text);
  return limits.responses.spend(String(workspaceId), bytes).then(
    () => text,
    () => "",
  );
}

async function send(
  { seal, outgoing }: Deps,
  delivery: DueDelivery,
  now: Date,
  limits: AttemptLimits,
): Promise<RequestResult> {
  let secrets;
  try {
    secrets = openSecrets(seal, delivery, now);
  } catch {
    const error = "The webhook's secret cannot be decrypted. Rotate the secret.";
    return { ok: false, error, durationMs: 0, responseText: "" };
  }
  const { url, eventPublicId: id } = delivery;
  return sendRequest({ url, secrets, id, body: bodyOf(delivery), ...limits }, outgoing);
}
