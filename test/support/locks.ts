import pg from "pg";
import { beforeAll } from "vitest";
import { locksIn, type Lock } from "./locks-in.ts";

/** A lock of a transaction, and how many rows its statement has returned or written. */
export type Taken = Lock & { rows: () => number | null; statement: string };

/** The locks of each transaction since the start, in their order. */
export function useLocks(): { start(): void; taken(): Taken[][] } {
  // Every statement goes through the driver.
  const { prototype } = pg.Client;
  const open = new WeakMap<pg.Client, Taken[]>();
  let transactions: Taken[][] = [];
  beforeAll(() => {
    // Others may note statements too.
    const query = Reflect.get(prototype, "query");
    Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
      const text = textOf(values[0]);
      if (text.startsWith("BEGIN")) {
        const taken: Taken[] = [];
        open.set(this, taken);
        transactions.push(taken);
      }
      let rows: number | null = null;
      onComplete(values[0], (count) => (rows = count));
      const result = Reflect.apply(query, this, values);
      const note = (response: pg.QueryResult) => (rows = response.rowCount);
      if (result instanceof Promise) result.then(note, () => undefined);
      for (const lock of locksIn(text))
        open.get(this)?.push({ ...lock, rows: () => rows, statement: text });
      if (/^(COMMIT|ROLLBACK)/.test(text)) open.delete(this);
      return result;
    });
    return () => void Reflect.set(prototype, "query", query);
  });
  return {
    start: () => void (transactions = []),
    taken: () => transactions.filter((taken) => taken.length > 0),
  };
}

/** Notes how many rows a statement of the pool has written. */
function onComplete(statement: unknown, note: (count: number) => void): void {
  if (!(statement instanceof pg.Query)) return;
  const complete = Reflect.get(statement, "handleCommandComplete");
  const noting = function (this: unknown, ...values: [{ text: string }, ...unknown[]]) {
    note(Number(/(\d+)$/.exec(values[0].text)?.[1] ?? 0));
    Reflect.apply(complete, this, values);
  };
  Reflect.set(statement, "handleCommandComplete", noting);
}

const textOf = (first: unknown): string => {
  const text = typeof first === "object" && first !== null && "text" in first ? first.text : first;
  return String(text).replace(/\s+/g, " ").trim();
};
