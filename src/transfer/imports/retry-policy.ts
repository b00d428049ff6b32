import { Failure } from "../../platform/errors.ts";
import { sentenceOf, SourceBusy } from "./failure.ts";
import type { ImportRun } from "./context.ts";

/** What is waited for with the worker in hand; for anything longer somebody else may have it. */
const longestMs = 12_000;
const tries = 3;
const firstMs = 300;
const failureMs = 30_000;

/** Asks a source again where that helps: after its limit has passed, and a few times when it fails; then the import comes back later. */
export async function patiently<Answer>(
  run: ImportRun,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    await run.alive();
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const sentence = sentenceOf(error) ?? "";
      if (error.failure === "TOO_MANY_REQUESTS") {
        const ms = Number(error.headers["Retry-After"]) * 1_000;
        if (ms > longestMs || attempt >= tries) throw new SourceBusy(ms, "limit", sentence);
        await run.pause(ms);
      } else if (error.failure === "BAD_GATEWAY") {
        const later = failureMs * 2 ** run.row.waits;
        if (attempt >= tries) throw new SourceBusy(later, "failure", sentence);
        await run.pause(firstMs * 2 ** attempt * (0.5 + Math.random()));
      } else throw error;
    }
  }
}
