import { callHost, type CallHost, type Host } from "../integrations/hosts.ts";
import type { ImportContext } from "./job/context.ts";
import { ImportFailure } from "./job/failure.ts";
import { findReading, keepReading, readingsOf } from "./job/readings.ts";
import { withRetries } from "./job/retry-policy.ts";

/** How long a host may take for the answers of one part, such as a board, in all runs together. */
const readingMs = 30 * 60_000;
/** The most characters of an import that are kept; what comes later is read again. */
const maxKept = 256 * 1024 * 1024;

/** Calls a host, and again after its rate limit or a failure. */
export const callerOf = (context: ImportContext, host: Host): CallHost => {
  const call = callHost(host, context.deps.outgoing);
  return (path, shape) => withRetries(context, () => call(path, shape));
};

/**
 * Calls a host for a part of what is imported. An answer is kept: a run that continues the import
 * does not ask for it again, so that the worker can be given back while the host's limit is used up.
 */
export async function readerOf(
  context: ImportContext,
  host: Host,
  part: string,
): Promise<CallHost> {
  const call = callHost(host, context.deps.outgoing);
  let { ms: spent, size } = await readingsOf(context, part);
  const timed: CallHost = async (path, shape) => {
    const start = performance.now();
    try {
      return await call(path, shape);
    } finally {
      spent += performance.now() - start;
    }
  };
  return async (path, shape) => {
    const reading = { part, key: path };
    const stored = await findReading(context, reading);
    if (stored !== undefined) return shape.parse(stored);
    if (spent > readingMs)
      throw new ImportFailure(
        `${host.service} answers too slowly: it has taken ${readingMs / 60_000} minutes for one board.`,
      );
    const before = spent;
    const answer = await withRetries(context, () => timed(path, shape));
    const value = JSON.stringify(answer);
    size += value.length;
    if (size <= maxKept) await keepReading(context, { ...reading, value, ms: spent - before });
    return answer;
  };
}
