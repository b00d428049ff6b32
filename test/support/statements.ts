import pg from "pg";
import { afterAll, beforeAll } from "vitest";

let statements = 0;

/** Counts the statements that are sent to the database in this file, BEGIN and COMMIT included; answers how many a call takes. */
export function useStatements(): <Result>(
  run: () => Promise<Result>,
) => Promise<{ count: number; result: Result }> {
  // Every statement goes through the driver, whoever asks for it: the one place to count at.
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
