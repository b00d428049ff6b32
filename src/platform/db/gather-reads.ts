import { withOpenSpan } from "../tracing/tracing.ts";
import { mayRepeat } from "./database-errors.ts";
import type { Query } from "./query.ts";
import type { Sql } from "./sql.ts";

/** Runs read-only statements on one connection, each in its own transaction. */
export type ReadTogether = (run: (query: Query) => Promise<unknown>) => Promise<unknown>;

/** A read that waits: `run` settles the call with the rows of its statement. */
type QueuedRead = { run: (query: Query) => Promise<void>; reject: (error: unknown) => void };

/** How many statements share a connection. A slow one delays those behind it. */
const maxTogether = 4;

/**
 * A query for small reads: those that begin in one turn of the event loop travel together.
 *
 * The system calls of a connection cost more than the rest of a small read. When the connection is
 * lost, or older than a migration, each of its reads runs again, on its own connection.
 */
export function gatherReads(readTogether: ReadTogether): Query {
  let waiting: QueuedRead[] = [];
  const send = async (group: QueuedRead[], repeats = 0) => {
    const failed = (read: QueuedRead, error: unknown) => {
      if (mayRepeat(error, repeats)) void send([read], repeats + 1);
      else read.reject(error);
    };
    const runIn = (query: Query) => (read: QueuedRead) =>
      read.run(query).catch((error: unknown) => failed(read, error));
    try {
      await readTogether((query) => Promise.all(group.map(runIn(query))));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const sendAll = () => {
    const all = waiting;
    waiting = [];
    for (let first = 0; first < all.length; first += maxTogether) {
      void send(all.slice(first, first + maxTogether));
    }
  };
  return <Row>(statement: Sql) =>
    new Promise<Row[]>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      const run = withOpenSpan((query: Query) => query<Row>(statement).then(resolve));
      waiting.push({ run, reject });
    });
}
