import type { LoggerOptions } from "pino";
import { codeOf } from "../platform/error-code.ts";
import { isOutage } from "../platform/db/database-errors.ts";

/** For how long a line about an outage stands for all that are the same. */
const quietMs = 10_000;

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;

/**
 * Keeps the log of an outage short: a line whose error says that the database does not answer, or
 * accepts no writes, is written once in ten seconds for each text, with a cause and no stack.
 *
 * `repeated` says how many were left out since the last one.
 */
export function quietOutages(now: () => number = () => performance.now()): LogMethod {
  const written = new Map<string, { at: number; repeated: number }>();
  return function logMethod(args, method) {
    const [fields, text]: unknown[] = args;
    if (typeof text !== "string" || !hasError(fields) || !isOutage(fields.err)) {
      return method.apply(this, args);
    }
    const last = written.get(text);
    if (last !== undefined && now() - last.at < quietMs) return void last.repeated++;
    written.set(text, { at: now(), repeated: 0 });
    const { err, ...others } = fields;
    const said = err.cause instanceof Error ? err.cause : err;
    const cause = { cause: said.message, code: codeOf(said) || undefined };
    method.apply(this, [{ ...others, ...cause, repeated: last?.repeated || undefined }, text]);
  };
}

const hasError = (fields: unknown): fields is { err: Error } =>
  typeof fields === "object" && fields !== null && "err" in fields && fields.err instanceof Error;
