import type { Deps } from "../../kernel/request/deps.ts";
import { attempt, type AttemptResult } from "./deliver.ts";
import { saysGone } from "./disable.ts";
import { bodyOf } from "./payload.ts";
import type { Due } from "./queue.ts";
import type { Result } from "./results.ts";
import { nextAttempt } from "./schedule.ts";
import { secretsOf } from "./secrets.ts";

/** Tries a delivery once; null when it was broken off by the signal. */
export async function tryOnce(deps: Deps, due: Due, signal: AbortSignal): Promise<Result | null> {
  const startedAt = deps.clock();
  const { ok, retryAfterSeconds, ...answer } = await sent(deps, due, startedAt, signal);
  if (signal.aborted && !ok) return null;
  const endedAt = deps.clock();
  const { statusCode = null, error = null, durationMs, responseText: response } = answer;
  const isLast = ok || due.isLast || saysGone({ statusCode });
  const attempts = due.attemptCount + 1;
  const schedule = deps.config.WEBHOOK_RETRY_SCHEDULE;
  const nextAttemptAt = isLast ? null : nextAttempt(endedAt, attempts, schedule, retryAfterSeconds);
  const { id, webhookId } = due;
  const told = { statusCode, error, durationMs, response };
  return { id, webhookId, ok, startedAt, endedAt, nextAttemptAt, ...told };
}

async function sent(deps: Deps, due: Due, now: Date, signal: AbortSignal): Promise<AttemptResult> {
  let secrets;
  try {
    secrets = secretsOf(deps.seal, due, now);
  } catch {
    const error = "The webhook's secret cannot be opened; give it another one.";
    return { ok: false, error, durationMs: 0, responseText: "" };
  }
  const { url, eventPublicId: id } = due;
  return attempt({ url, secrets, id, body: bodyOf(due), signal }, deps.outgoing);
}
