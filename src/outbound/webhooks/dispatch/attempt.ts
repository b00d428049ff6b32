import type { Deps } from "../../../kernel/request/deps.ts";
import type { NewSpan } from "../../../platform/tracing/span.ts";
import { inSpan } from "../../../platform/tracing/tracing.ts";
import { bodyOf } from "../message/payload.ts";
import { sendRequest, type RequestResult, type WebhookRequest } from "../message/request.ts";
import { openSecrets } from "../message/secrets.ts";
import { answeredGone } from "./disable.ts";
import type { DueDelivery } from "./lease-due.ts";
import type { AttemptResult } from "./results.ts";

const jitter = 0.2;

/** When and how often a delivery was attempted. */
type Attempts = { failedAt: Date; count: number };

/**
 * When a failed delivery is attempted again; null after the last attempt.
 *
 * `schedule` holds the seconds between a failure and the next attempt, `retryAfterSeconds` the
 * least time that the receiver asked for.
 */
function nextAttemptAt(
  { failedAt, count }: Attempts,
  schedule: readonly number[],
  retryAfterSeconds = 0,
): Date | null {
  const seconds = schedule[count - 1];
  if (seconds === undefined) return null;
  const spread = seconds * (1 - jitter + Math.random() * 2 * jitter);
  return new Date(failedAt.getTime() + Math.round(Math.max(spread, retryAfterSeconds) * 1000));
}

/** How an attempt is limited: `signal` aborts it, `admit` postpones it. */
export type AttemptLimits = { signal: AbortSignal } & Required<Pick<WebhookRequest, "admit">>;

/** The span of an attempt: a trace of its own, which the receiver continues. */
const spanOf = ({ type, eventPublicId, attemptCount }: DueDelivery): NewSpan => ({
  name: "webhook delivery",
  kind: "client",
  attributes: {
    "http.request.method": "POST",
    "event.id": eventPublicId,
    "event.type": type,
    "delivery.attempt": attemptCount + 1,
  },
  continues: "nothing",
});

/** Attempts a delivery once; null when it was aborted or postponed. */
export async function attempt(
  deps: Deps,
  delivery: DueDelivery,
  limits: AttemptLimits,
): Promise<AttemptResult | null> {
  const startedAt = deps.clock();
  const result = await inSpan(spanOf(delivery), async (span) => {
    const sent = await send(deps, delivery, startedAt, limits);
    if (sent.statusCode !== undefined) {
      span?.add({ "http.response.status_code": sent.statusCode });
    }
    if (!sent.ok && sent.isPostponed !== true) span?.fail();
    return sent;
  });
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

/** The response to store; empty once the workspace has reached its daily limit. */
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
