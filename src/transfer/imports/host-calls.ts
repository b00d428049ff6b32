import {
  fetchFromHost,
  isRefusal,
  readHostResponse,
  type CallHost,
  type Host,
} from "../integrations/hosts.ts";
import type { ImportContext } from "./job/context.ts";
import { ImportFailure, SourceBusy } from "./job/failure.ts";
import { findReading, keepReading, readingsOf } from "./job/readings.ts";
import { withRetries } from "./job/retry-policy.ts";

/** How long a host may take for the answers of one part, such as a board, in all runs together. */
const readingMs = 30 * 60_000;
/** The most characters of an import that are kept; what comes later is read again. */
const maxKept = 256 * 1024 * 1024;

/** How long a host that refuses a key beyond its limit is left alone. */
const limitMs = 60_000;

/**
 * Waits when a host refuses the key which it took before: it does so beyond its rate limit.
 *
 * The refusal counts when the same call is refused again after the wait.
 */
async function unlessOverLimit<Answer>(
  context: ImportContext,
  { service, refusesOverLimit }: Host,
  reading: { part: string; key: string },
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (refusesOverLimit === undefined || !isRefusal(error)) throw error;
    const refused = { part: `refused ${reading.part}`, key: reading.key };
    if ((await findReading(context, refused)) !== undefined) throw error;
    await keepReading(context, { ...refused, value: "true" });
    throw new SourceBusy(limitMs, "limit", `The rate limit of ${service} is used up.`);
  }
}

/** Calls a host, and again after its rate limit or a failure. */
export const callerOf = (context: ImportContext, host: Host): CallHost => {
  const { deps, signal } = context;
  const send = fetchFromHost(host, deps.outgoing, signal);
  return (path, shape, body) =>
    unlessOverLimit(context, host, { part: "", key: path }, () =>
      withRetries(context, async () =>
        readHostResponse(host, await send(path, body), shape, signal),
      ),
    );
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
    if (stored !== undefined) return readHostResponse(host, [Buffer.from(stored)], shape, signal);
    if (spent > readingMs)
      throw new ImportFailure(
        `${host.service} answers too slowly: it has taken ${readingMs / 60_000} minutes for one board.`,
      );
    const before = spent;
    const { chunks, response } = await unlessOverLimit(context, host, reading, () =>
      withRetries(context, async () => {
        const received = await timed(path);
        const read = await readHostResponse(host, received, shape, signal);
        return { chunks: received, response: read };
      }),
    );
    const value = Buffer.concat(chunks).toString();
    size += value.length;
    if (size <= maxKept) await keepReading(context, { ...reading, value, ms: spent - before });
    return response;
  };
}
