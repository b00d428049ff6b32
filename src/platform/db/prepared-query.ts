import type pg from "pg";
import type { Sql, Value } from "./sql.ts";
import { bigints, statementName } from "./client.ts";
import { parameterBytes, type WrittenAmount } from "./written.ts";

/** The rows of a statement, and what PostgreSQL did: `COMMIT`, or `UPDATE`. */
type Answer<Row> = { rows: Row[]; command: string };

/** Options of a statement: where its writes are counted, and a deadline if it has its own. */
type SendOptions = { written?: WrittenAmount | undefined; deadlineMs?: number | undefined };

/** Reads each value as the text that PostgreSQL sends. */
const texts = { getTypeParser: () => (text: unknown) => text };

/** A time as PostgreSQL reads it; `pg` writes it in the time zone of the process. */
const asText = (value: Value) => (value instanceof Date ? value.toISOString() : value);

/** Runs a prepared statement on a pool, or on one of its connections. */
export const queryRows = async <Row>(on: pg.Pool | pg.ClientBase, statement: Sql): Promise<Row[]> =>
  (await send<Row>(on, statement, {})).rows;

/** Sends a prepared statement. */
export async function send<Row>(
  on: pg.Pool | pg.ClientBase,
  { text, values, isTexts, isUnprepared }: Sql,
  { written, deadlineMs }: SendOptions,
): Promise<Answer<Row>> {
  if (written !== undefined) written.bytes += parameterBytes(values);
  const query = {
    name: isUnprepared ? "" : statementName(text),
    text,
    values: values.map(asText),
    types: isTexts ? texts : bigints,
    ...(isTexts && { rowMode: "array" }),
    ...(deadlineMs !== undefined && { query_timeout: deadlineMs }),
  };
  const { rows, command, rowCount } = await on.query<Row & pg.QueryResultRow>(query);
  if (written !== undefined && /^(?:INSERT|UPDATE|DELETE)$/.test(command)) {
    written.rows += rowCount ?? 0;
  }
  return { rows, command };
}
