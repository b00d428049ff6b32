import { checkBody, digestBody, otherCall } from "./body-digest.ts";
import { TRPCError } from "@trpc/server";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Deps } from "../request/deps.ts";
import { errorCodes, type ErrorCode } from "../../contract/error-codes.ts";
import { Failure, failure, type Issue } from "../../platform/errors.ts";
import type { Context, Published } from "../request/context.ts";
import type { Operation } from "../../contract/policy.ts";
import { erasedAnswer } from "../events/erase.ts";
import { claimMs, isCurrent, type Row } from "./answer-age.ts";
import { callOf, isOf, type Call } from "./idempotency-key.ts";
import { publishedEarlier } from "./publish.ts";
import type { OutputSchema } from "./output-schema.ts";
import { authorizeRefusal, visibleAgain } from "./replay.ts";

const purpose = "idempotency";

/** The most characters of a stored response. */
const maxStoredLength = 256 * 1024;

/** The answer of a call: its output, or its refusal. */
export type Answer =
  | {
      output: unknown;
      bodyDigest?: string | undefined;
      version?: number | undefined;
      lastEvent?: string | undefined;
      /** In answers of earlier releases. */
      published?: Published | undefined;
      isRepresentation?: boolean | undefined;
    }
  | Refusal;
type Refusal = { code: ErrorCode; issues: Issue[]; failedAt?: number | undefined };

/** Stores the response of a call, in the transaction of `query` where there is one. */
export type SaveResponse = (query: Query, output: unknown) => Promise<void>;

/**
 * Runs a write once per `Idempotency-Key`.
 *
 * The same call again gets the stored response, another call 422, one in flight 409. Responses of
 * 2xx and 4xx are stored.
 */
export async function withIdempotency<Result>(
  ctx: Context,
  name: Operation,
  input: unknown,
  schema: OutputSchema,
  run: (store: SaveResponse) => Promise<Result>,
): Promise<Result> {
  const { deps } = ctx;
  const call = await callOf(ctx, name, input);
  if (call === undefined) return run(async () => undefined);
  const { write } = deps.db;
  const earlier = await claim(write, call, deps.clock());
  if (earlier !== null) return replay<Result>(ctx, call, earlier, schema);
  const bodyDigest = digestBody(ctx);
  const stopRenewing = renewLock(deps, call);
  const save = (query: Query, answer: Answer) =>
    query(sql`UPDATE idempotency_keys SET answer = ${sealedAnswer(ctx, answer)}
      WHERE ${isOf(call)}`);
  try {
    return await run(async (query, output) => {
      const { version, lastEvent, isRepresentation } = ctx.responseMeta;
      const meta = { version, lastEvent, isRepresentation };
      await save(query, { output, ...meta, bodyDigest: bodyDigest() });
    });
  } catch (error) {
    const refusal = storableRefusal(error);
    if (refusal !== undefined) {
      await save(write, refusal);
    } else {
      // The transaction may have committed although its confirmation was lost.
      await write(sql`DELETE FROM idempotency_keys WHERE ${isOf(call)} AND answer IS NULL`);
    }
    throw error;
  } finally {
    stopRenewing();
  }
}

/** The refusal in a thrown error that a repeated call gets again, as it is stored. */
export function storableRefusal(error: unknown): Answer | undefined {
  const refusal =
    error instanceof TRPCError && error.cause instanceof Failure ? error.cause : error;
  if (!(refusal instanceof Failure) || !storable(refusal.failure)) return undefined;
  const { failure: code, issues, failedAt } = refusal;
  return { code, issues, failedAt };
}

/** An answer as it is stored. */
export const sealedAnswer = ({ deps }: Context, answer: Answer) =>
  deps.seal.seal(purpose, textOf(answer));

/** The stored text of an answer. A large answer is replaced by where it can be read again. */
function textOf(answer: Answer): string {
  const text = JSON.stringify(answer);
  if (text.length <= maxStoredLength) return text;
  const message =
    "The call succeeded. Its answer is too large to be stored: read the resource instead.";
  const issues: Issue[] = [{ message, code: "answer_not_stored" }];
  return JSON.stringify({ code: "CONFLICT", issues });
}

/** Renews a claim while its call runs; the returned function stops that. */
function renewLock({ db, clock, log }: Deps, call: Call) {
  const renew = () =>
    db.write(
      sql`UPDATE idempotency_keys SET "createdAt" = ${clock()}::timestamptz
        WHERE ${isOf(call)} AND "requestHash" = ${call.hash} AND answer IS NULL`,
    );
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, "a claim was not renewed"));
  }, claimMs / 3);
  timer.unref();
  return () => clearInterval(timer);
}

/** A failed credential or a rate limit says nothing about the call itself. */
const storable = (code: ErrorCode) =>
  errorCodes[code].status < 500 && code !== "UNAUTHORIZED" && code !== "TOO_MANY_REQUESTS";

/** Claims a key; null when the call may run, else what an earlier call has stored. */
async function claim(query: Query, call: Call, now: Date) {
  const { scope, key, hash } = call;
  const made = await query(
    sql`INSERT INTO idempotency_keys (scope, key, "requestHash", "createdAt")
      VALUES (${scope}, ${key}, ${hash}, ${now}::timestamptz)
      ON CONFLICT (scope, key) DO NOTHING RETURNING id`,
  );
  if (made.length > 0) return null;
  const [row] = await query<Row>(
    sql`SELECT "requestHash", answer, "createdAt" FROM idempotency_keys WHERE ${isOf(call)}`,
  );
  if (row === undefined) throw inFlight();
  if (isCurrent(row, now)) return row;
  const taken = await query(
    sql`UPDATE idempotency_keys
      SET "requestHash" = ${hash}, answer = NULL, "createdAt" = ${now}::timestamptz
      WHERE ${isOf(call)} AND "createdAt" = ${row.createdAt}::timestamptz RETURNING id`,
  );
  if (taken.length === 0) throw inFlight();
  return null;
}

/** 409: the first call has not ended. */
export const inFlight = () =>
  failure("idempotency_key_in_flight", "A call with this Idempotency-Key is still in flight.");

/** Repeats what an earlier call has stored, as a middleware's result; throws its failure. */
export async function replay<Result>(
  ctx: Context,
  call: Call,
  row: Row,
  schema: OutputSchema,
): Promise<Result> {
  const { output } = await storedAnswer(ctx, row, call);
  // A middleware's result as tRPC makes it, with the output that an earlier call validated.
  const data = await visibleAgain(ctx, call, output, schema);
  return { ok: true, data } as Result;
}

async function storedAnswer(ctx: Context, row: Row, call: Call) {
  const { deps, responseMeta } = ctx;
  if (row.requestHash !== call.hash) throw otherCall();
  if (row.answer === null) throw inFlight();
  if (row.answer === erasedAnswer) {
    throw failure("first_call_deleted", "The resource of the first call was deleted.");
  }
  // `withIdempotency` sealed it, so that its shape is known.
  const answer = JSON.parse(deps.seal.open(purpose, row.answer)) as Answer;
  if ("output" in answer) await checkBody(ctx, answer.bodyDigest);
  responseMeta.replayed = true;
  if ("code" in answer) {
    const refusal = new Failure(answer.code, answer.issues);
    refusal.failedAt = answer.failedAt;
    await authorizeRefusal(ctx, call, refusal);
    throw refusal;
  }
  responseMeta.version = answer.version;
  responseMeta.published = answer.published ?? (await publishedEarlier(ctx, answer.lastEvent));
  responseMeta.isRepresentation = answer.isRepresentation;
  return answer;
}
