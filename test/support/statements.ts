import pg from "pg";
import { afterAll, beforeAll, expect } from "vitest";

const statements: string[] = [];

/**
 * Whether a statement may be of a call. The service sends two by itself: the settings of a new
 * connection, whichever call opens it, and the check of an idle one.
 */
export const isOfCall = (statement: string): boolean =>
  !statement.startsWith("SELECT set_config(name, value") && statement !== "SELECT 1";

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
      if (isOfCall(sent)) statements.push(sent);
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

/** Counts the statements of a call, which must succeed. */
export function useCost(): (run: () => Promise<{ status: number }>) => Promise<number> {
  const counting = useStatements();
  return async (run) => {
    const { count, result } = await counting(run);
    expect(result.status).toBe(200);
    return count;
  };
}

/**
 * A large board waits for its turn between two transactions: BEGIN, the caller and ROLLBACK more.
 */
export const turn = 3;
