import pg from "pg";
import { afterAll, beforeAll } from "vitest";

const statements: string[] = [];

/** What the pool sends once on a new connection: no part of a call, whichever call opens it. */
const onConnect = "SELECT set_config(name, value";

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
      const sent = String(hasText ? statement.text : statement);
      if (!sent.startsWith(onConnect)) statements.push(sent);
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
