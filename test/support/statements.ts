import pg from "pg";
import { afterAll, beforeAll } from "vitest";

let statements = 0;

/** Counts the statements of a call, BEGIN and COMMIT included. */
export function useStatements(): <Result>(
  run: () => Promise<Result>,
) => Promise<{ count: number; result: Result }> {
  // Every statement goes through the driver.
  const { prototype } = pg.Client;
  const query = Reflect.get(prototype, "query");
  beforeAll(() => {
    Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
      statements++;
      return Reflect.apply(query, this, values);
    });
  });
  afterAll(() => Reflect.set(prototype, "query", query));
  return async (run) => {
    const before = statements;
    const result = await run();
    return { count: statements - before, result };
  };
}
