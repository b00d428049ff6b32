import { deflateSync, inflateSync } from "node:zlib";
import { type ErrorCode } from "../../contract/error-codes.ts";
import { sql } from "../../platform/db/sql.ts";
import { Failure, failure, refusalIn, type Issue } from "../../platform/errors.ts";
import type { Seal } from "../../platform/crypto/seal.ts";
import type { OutputSchema } from "../invocation/output-schema.ts";
import { publishedEarlier } from "../invocation/publish.ts";
import type { Context, Published } from "../request/context.ts";
import { checkBody, otherCall } from "./body-digest.ts";
import { inFlight } from "./claim.ts";
import type { ClaimedCall } from "./key.ts";
import { authorizeRefusal, visibleReplay } from "./replay.ts";

const purpose = "idempotency";

/** The most characters of a stored response. */
const maxStoredLength = 256 * 1024;

/** The response of a call: its output, or its refusal. */
export type CallOutcome =
  | {
      output: unknown;
      bodyDigest?: string | undefined;
      version?: number | undefined;
      lastEvent?: string | undefined;
      /** In responses of earlier releases. */
      published?: Published | undefined;
    }
  | Refusal;
type Refusal = {
  code: ErrorCode;
  issues: Issue[];
  failedAt?: number | undefined;
  bodyDigest?: string | undefined;
};

/** The refusal in a thrown error that a repeated call gets again, as it is stored. */
export function storableRefusal(error: unknown): Refusal | undefined {
  const refusal = refusalIn(error);
  if (refusal === undefined || !isStorable(refusal)) return undefined;
  const { failure: code, issues, failedAt } = refusal;
  return { code, issues, failedAt };
}

/** A response as it is stored. */
export const sealedResponse = ({ deps }: Context, response: CallOutcome): Uint8Array =>
  deps.seal.sealBytes(purpose, deflateSync(textOf(response)));

/** The stored text of a response. A large one is replaced by where it can be read again. */
function textOf(response: CallOutcome): string {
  const text = JSON.stringify(response);
  if (text.length <= maxStoredLength) return text;
  const message =
    "The call succeeded. Its answer is too large to be stored: read the resource instead.";
  const issues: Issue[] = [{ message, code: "answer_not_stored" }];
  return JSON.stringify({ code: "CONFLICT", issues });
}

function openResponse(seal: Seal, stored: Uint8Array): CallOutcome {
  const bytes = seal.openBytes(purpose, stored);
  // Earlier releases did not compress it: it begins with a brace.
  const text = bytes[0] === 0x7b ? bytes : inflateSync(bytes);
  // `sealedResponse` made it, so that its shape is known.
  return JSON.parse(text.toString("utf8")) as CallOutcome;
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
  call: ClaimedCall,
  schema: OutputSchema,
): Promise<unknown> {
  const { output } = await storedResponse(ctx, call);
  return visibleReplay(ctx, call, output, schema);
}

async function storedResponse(ctx: Context, call: ClaimedCall) {
  const { deps, responseMeta } = ctx;
  const [row] = await deps.db.read<{ isSame: boolean; response: Uint8Array | null }>(
    sql`SELECT request = ${call.request} AS "isSame", response
      FROM idempotency_keys WHERE digest = ${call.digest}`,
  );
  if (row?.isSame === false) throw otherCall();
  if (row === undefined || row.response === null) throw inFlight();
  if (row.response.length === 0) {
    throw failure(
      "first_call_deleted",
      "The resource of the first call was deleted. Send a new Idempotency-Key.",
    );
  }
  const response = openResponse(deps.seal, row.response);
  await checkBody(ctx, response.bodyDigest);
  responseMeta.replayed = true;
  if ("code" in response) {
    const refusal = new Failure(response.code, response.issues);
    refusal.failedAt = response.failedAt;
    await authorizeRefusal(ctx, call, refusal);
    throw refusal;
  }
  responseMeta.version = response.version;
  responseMeta.published = response.published ?? (await publishedEarlier(ctx, response.lastEvent));
  return response;
}
