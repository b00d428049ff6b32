import type pg from "pg";
import { sql, type Sql, type Value } from "./sql.ts";
import { bigints, statementName } from "./client.ts";
import { inStatement } from "../tracing/tracing.ts";
import { deadlineOf, timeoutOfCalls } from "./session.ts";
import { parameterBytes, type WrittenAmount } from "./written.ts";

/** The rows of a statement, and what PostgreSQL did: `COMMIT`, or `UPDATE`. */
type Answer<Row> = { rows: Row[]; command: string };

/** Options of a statement: where its writes are counted, and a deadline if it has its own. */
type SendOptions = { written?: WrittenAmount | undefined; deadlineMs?: number | undefined };

/** A time as PostgreSQL reads it; `pg` writes it in the time zone of the process. */
const asText = (value: Value) => (value instanceof Date ? value.toISOString() : value);

/** Runs a prepared statement on a pool, or on one of its connections. */
export const queryRows = async <Row>(on: pg.Pool | pg.ClientBase, statement: Sql): Promise<Row[]> =>
  (await send<Row>(on, statement, {})).rows;

/** Sends a prepared statement. */
export async function send<Row>(
  on: pg.Pool | pg.ClientBase,
  { text, values, isUnprepared }: Sql,
  { written, deadlineMs }: SendOptions,
): Promise<Answer<Row>> {
  if (written !== undefined) written.bytes += parameterBytes(values);
  const query = {
    name: isUnprepared ? "" : statementName(text),
    text,
    values: values.map(asText),
    types: bigints,
    ...(deadlineMs !== undefined && { query_timeout: deadlineMs }),
  };
  const { rows, command, rowCount } = await inStatement(text, () =>
    on.query<Row & pg.QueryResultRow>(query),
  );
  if (written !== undefined && /^(?:INSERT|UPDATE|DELETE)$/.test(command)) {
    written.rows += rowCount ?? 0;
  }
  return { rows, command };
}

/** SQL: how long the next statements of a transaction may take. It is not prepared: it may be skipped. */
const allow = (time: Sql) =>
  sql.unprepared(sql`SELECT set_config('statement_timeout', ${time}, true)`);

/**
 * Sends a statement of a transaction that allows its statements `longMs`.
 *
 * One whose form callers choose, such as one with a filter, has no more time than in any other call.
 */
export function sendWithin<Row>(
  on: pg.ClientBase,
  statement: Sql,
  { longMs, written }: { longMs: number; written?: WrittenAmount | undefined },
): Promise<Answer<Row>> {
  const options = { written, deadlineMs: deadlineOf(longMs) };
  if (!statement.isUnprepared) return send<Row>(on, statement, options);
  // They travel together. Their errors are those of the statement, or follow from them.
  const change = (time: Sql) => void send(on, allow(time), {}).catch(() => undefined);
  change(timeoutOfCalls);
  const response = send<Row>(on, statement, options);
  change(sql`${String(longMs)}::text`);
  return response;
}
