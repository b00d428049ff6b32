import { TRPCError } from "@trpc/server";
import pg from "pg";
import { unavailable, Failure } from "../errors.ts";
import type { Prisma } from "./generated/client.ts";
import { codeOf } from "../error-code.ts";

/** The error that tRPC wrapped. */
const unwrap = (error: unknown): unknown =>
  error instanceof TRPCError && error.cause !== undefined ? unwrap(error.cause) : error;

// Recognized by name: importing the class would load Prisma.
const isPrismaError = (error: unknown): error is Prisma.PrismaClientKnownRequestError =>
  error instanceof Error && error.name === "PrismaClientKnownRequestError";

const prismaError = (error: unknown) => {
  const thrown = unwrap(error);
  return isPrismaError(thrown) ? thrown : undefined;
};

/** The SQLSTATE of an error of the pool or of Prisma; otherwise empty. */
export function sqlState(error: unknown): string {
  const thrown = unwrap(error);
  if (thrown instanceof pg.DatabaseError) return thrown.code ?? "";
  return adapterError(error, "originalCode");
}

/** A property of the error of Prisma's adapter. */
function adapterError(error: unknown, property: "originalCode" | "kind"): string {
  // A query fails with Prisma's error around the adapter's; a COMMIT with the adapter's own.
  const adapter = prismaError(error)?.meta?.["driverAdapterError"] ?? unwrap(error);
  const inner = adapter instanceof Error ? adapter.cause : undefined;
  return typeof inner === "object" && inner !== null && property in inner
    ? String((inner as Record<string, unknown>)[property])
    : "";
}

/**
 * Whether a transaction that failed is run again: after a deadlock, a refused lock (`NOWAIT`), a
 * serialization failure, or a statement that a migration has made stale. Also after a foreign key
 * whose row was deleted at the same moment: the next run does not find that row.
 */
export const isRetryable = (error: unknown): boolean =>
  !isReadOnly(error) &&
  (prismaError(error)?.code === "P2034" ||
    /^(?:40P01|55P03|40001|23503)$/.test(sqlState(error)) ||
    isStale(error));

/** The final error of a transaction after its last retry: 503 if others still had its rows. */
export const afterRetries = (error: unknown): unknown =>
  /^(?:40P01|55P03|40001)$/.test(sqlState(error))
    ? unavailable("overloaded", "Too many calls change the same data. Try again later.", {
        cause: error,
      })
    : error;

/**
 * Whether a prepared statement of a connection is from before a migration.
 *
 * PostgreSQL refuses it as long as the connection lives: its columns had other types. Or it does
 * not know the statement, because the one that prepared it has failed.
 */
const isStale = (error: unknown): boolean => /^(?:0A000|26000)$/.test(sqlState(error));

/** 503 for a server that accepts no writes: a standby, or one that was set to read-only. */
export const readOnlyDatabase = (cause?: unknown): Failure =>
  unavailable("database_read_only", "The database accepts no writes now.", { cause });

/** The failure of a BEGIN that writes: a standby knows no such transactions (0A000). */
export const beginFailure = <Thrown>(error: Thrown): Thrown | Failure =>
  /^(?:0A000|25006)$/.test(sqlState(error)) ? readOnlyDatabase(error) : error;

/** Whether a server accepts no writes. */
export const isReadOnly = (error: unknown): boolean =>
  (error instanceof Failure && error.issues[0]?.code === "database_read_only") ||
  (error instanceof NoServer && error.hasReadOnly);

/** No server of an address with several is suitable. `hasReadOnly`: one only reads. */
export class NoServer extends Error {
  override readonly name = "NoServer";
  readonly hasReadOnly: boolean;

  constructor(message: string, hasReadOnly: boolean) {
    super(message);
    this.hasReadOnly = hasReadOnly;
  }
}

/** What `pg` and Node.js say when an open connection ends. */
const lost = "ECONNRESET|EPIPE|Connection terminated(?! due)|Connection ended|not queryable";
const connectionLost = new RegExp(lost);
const notConnected = new RegExp(
  `${lost}|Query read timeout|ECONN|ENOENT|ETIMEDOUT|Connection terminated|` +
    "timeout exceeded when trying to connect",
);

const textOf = (error: Error) => `${error.message} ${codeOf(error)}`;

/**
 * Whether an error means that the connection ended while a statement ran, or that the statement
 * followed the failed one that should have prepared it.
 */
function isLost(error: unknown): boolean {
  const thrown = error instanceof Failure ? error.cause : error;
  return (
    /^(?:57P0[12]|26000)$/.test(sqlState(thrown)) ||
    (thrown instanceof Error && connectionLost.test(textOf(thrown)))
  );
}

/** Whether an error means that the database is down or full. */
function isUnavailable(error: unknown): boolean {
  if (unwrap(error) instanceof NoServer) return true;
  const code = prismaError(error)?.code ?? "";
  if (/^P(1001|1002|1008|1017|2024|2028)$/.test(code)) return true;
  if (/^(08|53|57P)/.test(sqlState(error))) return true;
  const kind = adapterError(error, "kind");
  if (/^(DatabaseNotReachable|ConnectionClosed|SocketTimeout)$/.test(kind)) return true;
  const thrown = unwrap(error);
  return (
    thrown instanceof Error && !(thrown instanceof Failure) && notConnected.test(textOf(thrown))
  );
}

/** A read that fails later than this is not repeated: the next connection would be silent, too. */
const suddenMs = 1_000;

/** How many connections may know statements from before a migration, one after the other. */
const maxStale = 20;

/**
 * Whether a read runs again on another connection, which the failed one does not come back to: once
 * if it was lost, and while it knows statements from before a migration. `repeats` counts them.
 */
export const mayRepeat = (error: unknown, repeats: number): boolean =>
  isStale(error) ? repeats < maxStale : isLost(error) && repeats === 0;

/** Runs a read, and again as `mayRepeat` says; of a lost connection, if it ended at once. */
export async function repeatRead<Result>(run: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  for (let repeats = 0; ; repeats++) {
    try {
      return await run();
    } catch (error) {
      const isSudden = isStale(error) || performance.now() - began < suddenMs;
      if (!isSudden || !mayRepeat(error, repeats)) throw error;
    }
  }
}

/** Whether a statement or a pause between statements took longer than its timeout. */
const isTimeout = (error: unknown) => /^(57014|25P03)$/.test(sqlState(error));

/** 503 for a database that does not answer. */
export const noDatabase = (cause?: unknown): Error =>
  unavailable("database_unavailable", "The database does not answer.", { cause });

/** Stands in for the answer of a check that the database has not answered in time. */
export const throwNoDatabase = (): never => {
  throw noDatabase();
};

/** Runs `run`; an error that means that the database is unavailable or too slow becomes a 503. */
export async function withAvailability<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isTimeout(error)) {
      throw unavailable(
        "timeout",
        "The operation took too long and was rolled back. Retry later, with less data, or with a " +
          "filter of fewer conditions.",
        { cause: error },
      );
    }
    if (error instanceof NoServer && error.hasReadOnly) throw readOnlyDatabase(error);
    throw isUnavailable(error) ? noDatabase(error) : error;
  }
}

/** As `withAvailability`, for a transaction that writes: a server that refuses that is a 503 too. */
export const withWrites = <Result>(run: () => Promise<Result>): Promise<Result> =>
  withAvailability(() =>
    run().catch((error: unknown) => {
      throw sqlState(error) === "25006" ? readOnlyDatabase(error) : error;
    }),
  );

/** What `pg` says of a connection that it has lost, or did not get. */
const lostByDriver =
  /Connection (?:terminated|ended)|not queryable|Query read timeout|timeout exceeded/;

/** Whether an error belongs to an outage of the database, and not to a call or another service. */
export const isOutage = (error: unknown): boolean =>
  error instanceof NoServer ||
  (error instanceof Failure && error.issues[0]?.code.startsWith("database_") === true) ||
  /^(?:08|53|57P)/.test(sqlState(error)) ||
  (error instanceof Error && lostByDriver.test(error.message));
