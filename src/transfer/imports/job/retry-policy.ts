import { Failure } from "../../../platform/errors.ts";
import { importErrorMessage, SourceBusy } from "./failure.ts";
import type { ImportContext } from "./context.ts";

/** The longest pause within a run; for a longer one it is rescheduled. */
const maxPauseMs = 12_000;
const attempts = 3;
const firstPauseMs = 300;
const failureMs = 30_000;

/** Calls a source, and again after its rate limit or a failure; then throws `SourceBusy`. */
export async function withRetries<Answer>(
  context: ImportContext,
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    await context.checkAlive();
    try {
      return await context.waitFor(call);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const message = importErrorMessage(error) ?? "";
      if (error.failure === "TOO_MANY_REQUESTS") {
        const ms = Number(error.headers["Retry-After"]) * 1_000;
        if (ms > maxPauseMs || attempt >= attempts) throw new SourceBusy(ms, "limit", message);
        await context.pause(ms);
      } else if (error.failure === "BAD_GATEWAY") {
        const later = failureMs * 2 ** context.waits.failure;
        if (attempt >= attempts) throw new SourceBusy(later, "failure", message);
        await context.pause(firstPauseMs * 2 ** attempt * (0.5 + Math.random()));
      } else throw error;
    }
  }
}
