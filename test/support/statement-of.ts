import { sql, type Sql, type Value } from "../../src/platform/db/sql.ts";

/** A statement from a text that a test builds, with `$1`-style parameters. */
export function statementOf(text: string, values: readonly unknown[] = []): Sql {
  const parts = text.split(/\$(\d+)/);
  const strings = parts.filter((_, index) => index % 2 === 0);
  const numbers = parts.filter((_, index) => index % 2 === 1).map(Number);
  return sql(strings, ...numbers.map((number) => (values[number - 1] ?? null) as Value));
}
