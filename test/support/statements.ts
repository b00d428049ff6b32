import pg from "pg";
import { afterAll, beforeAll } from "vitest";

const statements: string[] = [];

/** Notes the statements of a call, BEGIN and COMMIT included. */
export function useStatements(): <Result>(
  run: () => Promise<Result>,
) => Promise<{ count: number; texts: string[]; result: Result }> {
  // Every statement goes through the driver.
  const { prototype } = pg.Client;
  const query = Reflect.get(prototype, "query");
  beforeAll(() => {
    Reflect.set(prototype, "query", function (this: pg.Client, ...values: unknown[]) {
      const [statement] = values;
      const hasText = typeof statement === "object" && statement !== null && "text" in statement;
      statements.push(String(hasText ? statement.text : statement));
      return Reflect.apply(query, this, values);
    });
  });
  afterAll(() => Reflect.set(prototype, "query", query));
  return async (run) => {
    statements.length = 0;
    const result = await run();
    return { count: statements.length, texts: [...statements], result };
  };
}
