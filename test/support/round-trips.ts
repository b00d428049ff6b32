import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { isOfCall } from "./statements.ts";

/** What a call sent to the database. */
export type Sent = {
  /** How often it waited for an answer before it sent more. */
  roundTrips: number;
  /** Its statements, BEGIN and COMMIT included, each after the number of its round trip. */
  statements: string[];
};

/**
 * Counts the round trips of a call at the driver.
 *
 * A statement is in round trip n + 1 when an answer of round trip n was there before it was sent.
 */
export function useRoundTrips(): (run: () => Promise<unknown>) => Promise<Sent> {
  // Every statement goes through the driver.
  const { prototype } = pg.Client;
  const query = Reflect.get(prototype, "query");
  let answered = 0;
  let statements: string[] = [];
  beforeAll(() => {
    Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
      const text = textOf(values[0]);
      if (!isOfCall(text)) return Reflect.apply(query, this, values);
      const nth = answered + 1;
      statements.push(`${nth} ${text}`);
      const note = () => (answered = Math.max(answered, nth));
      const last = values.at(-1);
      if (typeof last === "function") {
        values[values.length - 1] = (...results: unknown[]) => {
          note();
          return Reflect.apply(last, undefined, results);
        };
      }
      const result = Reflect.apply(query, this, values);
      if (result instanceof Promise) result.then(note, note);
      return result;
    });
  });
  afterAll(() => Reflect.set(prototype, "query", query));
  return async (run) => {
    [answered, statements] = [0, []];
    await run();
    return { roundTrips: answered, statements };
  };
}

const textOf = (first: unknown): string => {
  const text = typeof first === "object" && first !== null && "text" in first ? first.text : first;
  return String(text).replace(/\s+/g, " ").trim();
};
