import { fetchFromHost, readHostAnswer, type CallHost, type Host } from "../integrations/hosts.ts";
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
  const { deps, signal } = context;
  const send = fetchFromHost(host, deps.outgoing, signal);
  return (path, shape, body) =>
    withRetries(context, async () => readHostAnswer(host, await send(path, body), shape, signal));
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
  const { deps, signal } = context;
  const send = fetchFromHost(host, deps.outgoing, signal);
  let { ms: spent, size } = await readingsOf(context, part);
  const timed = async (path: string) => {
    const start = performance.now();
    try {
      return await send(path);
    } finally {
      spent += performance.now() - start;
    }
  };
  return async (path, shape) => {
    const reading = { part, key: path };
    const stored = await findReading(context, reading);
    if (stored !== undefined) return readHostAnswer(host, [Buffer.from(stored)], shape, signal);
    if (spent > readingMs)
      throw new ImportFailure(
        `${host.service} answers too slowly: it has taken ${readingMs / 60_000} minutes for one board.`,
      );
    const before = spent;
    const { chunks, answer } = await withRetries(context, async () => {
      const received = await timed(path);
      const read = await readHostAnswer(host, received, shape, signal);
      return { chunks: received, answer: read };
    });
    const value = Buffer.concat(chunks).toString();
    size += value.length;
    if (size <= maxKept) await keepReading(context, { ...reading, value, ms: spent - before });
    return answer;
  };
}
