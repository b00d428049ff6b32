import type { Query } from "./query.ts";
import type { Sql } from "./sql.ts";

/** Runs read-only statements on one connection, each in a transaction of its own. */
export type ReadTogether = (statements: Sql[]) => Promise<PromiseSettledResult<unknown[]>[]>;

type Waiting = {
  statement: Sql;
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
};

/** How many statements share a connection. A slow one delays those behind it. */
const most = 4;

/**
 * A query whose statements travel together when they begin in the same turn of the event loop.
 *
 * The system calls of a connection cost more than the rest of a small read.
 */
export function gatherReads(readTogether: ReadTogether): Query {
  let waiting: Waiting[] = [];
  const send = async (group: Waiting[]) => {
    try {
      const results = await readTogether(group.map(({ statement }) => statement));
      for (const [nth, result] of results.entries()) {
        if (result.status === "fulfilled") group[nth]?.resolve(result.value);
        else group[nth]?.reject(result.reason);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const sendAll = () => {
    const all = waiting;
    waiting = [];
    for (let first = 0; first < all.length; first += most) {
      void send(all.slice(first, first + most));
    }
  };
  return <Row>(statement: Sql) =>
    new Promise<Row[]>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      // The caller names the type of its rows, as for every query.
      waiting.push({ statement, resolve: resolve as Waiting["resolve"], reject });
    });
}
