import { checkBody, digestBody, otherCall } from "./body-digest.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { type ErrorCode } from "../../contract/error-codes.ts";
import { Failure, failure, refusalIn, type Issue } from "../../platform/errors.ts";
import type { Context, Published } from "../request/context.ts";
import type { NamedCall } from "../calls/types.ts";
import { erasedAnswer } from "../events/erase.ts";
import type { UnitOfWork } from "../events/unit-of-work.ts";
import type { StoredCallRow } from "./answer-age.ts";
import { claimKey, inFlight, lockClaim, renewClaim } from "./claim-key.ts";
import { keyedCall, scopeOf, type ScopedCall } from "./key.ts";
import { publishedEarlier } from "../calls/publish.ts";
import type { OutputSchema } from "../calls/output-schema.ts";
import { authorizeRefusal, visibleAgain } from "./replay.ts";

const purpose = "idempotency";

/** The most characters of a stored response. */
const maxStoredLength = 256 * 1024;

/** The answer of a call: its output, or its refusal. */
export type CallOutcome =
  | {
      output: unknown;
      bodyDigest?: string | undefined;
      version?: number | undefined;
      lastEvent?: string | undefined;
      /** In answers of earlier releases. */
      published?: Published | undefined;
    }
  | Refusal;
type Refusal = {
  code: ErrorCode;
  issues: Issue[];
  failedAt?: number | undefined;
  bodyDigest?: string | undefined;
};

/** A call that runs under its claim. */
type ClaimedCall = {
  /** Stores the response, in the transaction of `query` where there is one. */
  saveResponse: (query: Query, output: unknown) => Promise<void>;
  /** Makes a transaction fail when another call has taken the key over. */
  checkClaim: (tx: UnitOfWork) => void;
};

const noKey: ClaimedCall = {
  saveResponse: () => Promise.resolve(),
  checkClaim: () => undefined,
};

/**
 * Runs a write once per `Idempotency-Key`.
 *
 * The same call again gets the stored response, another call 422, one in flight 409. Responses of
 * 2xx and 4xx are stored.
 */
export async function withIdempotency(
  ctx: Context,
  namedCall: NamedCall,
  schema: OutputSchema,
  run: (claimed: ClaimedCall) => Promise<unknown>,
): Promise<unknown> {
  const { deps } = ctx;
  const keyed = keyedCall(ctx, namedCall);
  if (keyed === undefined) return run(noKey);
  const call = { ...keyed, scope: await scopeOf(ctx) };
  const { write } = deps.db;
  const claimed = await claimKey(deps, call);
  if ("answer" in claimed) return replayResponse(ctx, call, claimed, schema);
  const { id } = claimed;
  const bodyDigest = digestBody(ctx);
  const stopRenewing = renewClaim(deps, id);
  const save = (query: Query, answer: CallOutcome) =>
    query(sql`UPDATE idempotency_keys SET answer = ${sealedAnswer(ctx, answer)}
      WHERE id = ${id} RETURNING id`);
  try {
    return await run({
      async saveResponse(query, output) {
        const { version, lastEvent } = ctx.responseMeta;
        const meta = { version, lastEvent };
        const saved = await save(query, { output, ...meta, bodyDigest: bodyDigest() });
        if (saved.length === 0) throw inFlight();
      },
      checkClaim: (tx) => void tx.query(lockClaim(id)),
    });
  } catch (error) {
    const refusal = storableRefusal(error);
    const digest = bodyDigest();
    // A body that was not read to its end could not be compared with that of the next call.
    const isComparable = ctx.requestBody === undefined || digest !== undefined;
    if (refusal !== undefined && isComparable) {
      await save(write, { ...refusal, bodyDigest: digest });
    } else {
      // The transaction may have committed although its confirmation was lost.
      await write(sql`DELETE FROM idempotency_keys WHERE id = ${id} AND answer IS NULL`);
    }
    throw error;
  } finally {
    stopRenewing();
  }
}

/** The refusal in a thrown error that a repeated call gets again, as it is stored. */
export function storableRefusal(error: unknown): CallOutcome | undefined {
  const refusal = refusalIn(error);
  if (refusal === undefined || !isStorable(refusal)) return undefined;
  const { failure: code, issues, failedAt } = refusal;
  return { code, issues, failedAt };
}

/** An answer as it is stored. */
export const sealedAnswer = ({ deps }: Context, answer: CallOutcome) =>
  deps.seal.seal(purpose, textOf(answer));

/** The stored text of an answer. A large answer is replaced by where it can be read again. */
function textOf(answer: CallOutcome): string {
  const text = JSON.stringify(answer);
  if (text.length <= maxStoredLength) return text;
  const message =
    "The call succeeded. Its answer is too large to be stored: read the resource instead.";
  const issues: Issue[] = [{ message, code: "answer_not_stored" }];
  return JSON.stringify({ code: "CONFLICT", issues });
}

/** Refusals that say nothing about the call itself. */
const passing: ReadonlySet<ErrorCode> = new Set([
  "UNAUTHORIZED",
  "TOO_MANY_REQUESTS",
  "REQUEST_TIMEOUT",
]);

/** Whether a refusal is of the call itself: a body that broke off can be sent again. */
const isStorable = ({ failure: code, issues: [issue] }: Failure) =>
  !passing.has(code) && issue?.code !== "body_incomplete";

/** Repeats what an earlier call has stored; throws its failure. */
export async function replayResponse(
  ctx: Context,
  call: ScopedCall,
  row: StoredCallRow,
  schema: OutputSchema,
): Promise<unknown> {
  const { output } = await storedAnswer(ctx, row, call);
  return visibleAgain(ctx, call, output, schema);
}

async function storedAnswer(ctx: Context, row: StoredCallRow, call: ScopedCall) {
  const { deps, responseMeta } = ctx;
  if (row.requestHash !== call.hash) throw otherCall();
  if (row.answer === null) throw inFlight();
  if (row.answer === erasedAnswer) {
    throw failure(
      "first_call_deleted",
      "The resource of the first call was deleted. Send a new Idempotency-Key.",
    );
  }
  // `withIdempotency` sealed it, so that its shape is known.
  const answer = JSON.parse(deps.seal.open(purpose, row.answer)) as CallOutcome;
  await checkBody(ctx, answer.bodyDigest);
  responseMeta.replayed = true;
  if ("code" in answer) {
    const refusal = new Failure(answer.code, answer.issues);
    refusal.failedAt = answer.failedAt;
    await authorizeRefusal(ctx, call, refusal);
    throw refusal;
  }
  responseMeta.version = answer.version;
  responseMeta.published = answer.published ?? (await publishedEarlier(ctx, answer.lastEvent));
  return answer;
}
