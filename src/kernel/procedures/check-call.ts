import { TRPCError } from "@trpc/server";
import { ruleOf, type Operation } from "../../contract/policy.ts";
import { badRequest, Failure } from "../../platform/errors.ts";
import { credentialExpired } from "../access/authorize.ts";
import { findCaller } from "../access/find-caller.ts";
import { provisionUser } from "../access/provision.ts";
import type { Context } from "../request/context.ts";
import { checkOperator } from "./check-operator.ts";
import { takesIfMatch } from "../request/rest.ts";
import type { Meta } from "../request/trpc.ts";

/** Runs a call in its turn of an HTTP batch, with the credential that its rule asks for. */
export async function withCredential<Result>(
  name: Operation,
  ctx: Context,
  writes: boolean,
  run: () => Promise<Result>,
): Promise<Result> {
  const rule = ruleOf(name);
  const { on } = rule;
  const { credential, httpBatch } = ctx;
  if (rule.on === "operator") await checkOperator(ctx, rule.announced === true);
  const isOpen = on === "operator" || on === "public";
  if (!isOpen && credential instanceof Failure) throw credential;
  const perform = isOpen ? run : () => withAccount(ctx, () => hideInputErrors(ctx, run));
  return httpBatch === undefined ? perform() : httpBatch.run(perform, writes);
}

/**
 * Updates the account of a subject by the trusted issuer's token.
 *
 * It makes an account for an unknown subject, and repeats the call.
 */
async function withAccount<Result>(
  { credential, deps }: Context,
  run: () => Promise<Result>,
): Promise<Result> {
  if (credential instanceof Failure || credential.claims === undefined) return run();
  const { claims } = credential;
  await deps.syncProfile(deps, claims);
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof TRPCError) || error.code !== "UNAUTHORIZED") throw error;
    await provisionUser(deps, claims);
    await deps.syncProfile(deps, claims);
    return run();
  }
}

/**
 * The context of one call of a request; 400 for an invalid key.
 *
 * The calls of an HTTP batch run at the same time: each has its own response metadata, and
 * stores the version and the events of no other call. Call n has the key `key:n`.
 */
export function callContext(ctx: Context, batchIndex: number): Context {
  const { idempotencyKey: key } = ctx;
  // The key of a call in an HTTP batch may be longer than the key that was sent.
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw badRequest(
      "idempotency_key_invalid",
      "Idempotency-Key must be 1 to 255 printable characters.",
    );
  }
  if (ctx.httpBatch === undefined) return ctx;
  const idempotencyKey = key === undefined ? undefined : `${key}:${batchIndex}`;
  return { ...ctx, idempotencyKey, responseMeta: {} };
}

const inputErrors: ReadonlySet<string> = new Set([
  "BAD_REQUEST",
  "PARSE_ERROR",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
]);

/** Answers 401 instead of an error of the input when the credential is invalid. */
async function hideInputErrors<Result>(ctx: Context, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { credential, deps, authentication } = ctx;
    const isOfInput = error instanceof TRPCError && inputErrors.has(error.code);
    const isKnown = authentication.credentialVerified || credential instanceof Failure;
    if (!isOfInput || isKnown) throw error;
    if ((await findCaller(deps.db.read, credential, deps.clock())) === null) {
      throw credentialExpired();
    }
    throw error;
  }
}

/** A fixed operation: clients may send it any header that has no meaning for it. */
const ignoresIfMatch: Operation = "workspace.create";

/** Refuses an `If-Match` that nothing compares: an ignored condition would write all the same. */
export function checkIfMatch(name: Operation, { ifMatch, httpBatch }: Context, meta: Meta): void {
  if (ifMatch === undefined) return;
  if (httpBatch !== undefined) {
    throw refused("If-Match does not apply to several calls in one request. Send the call alone.");
  }
  if (name === ignoresIfMatch || takesIfMatch(name, meta.options)) return;
  throw refused(
    meta.options?.batch === true
      ? "If-Match does not apply to a batch. Set ifVersion of its operations instead."
      : `If-Match does not apply to ${name}, whose target has no version. Omit the header.`,
  );
}

const refused = (message: string) => badRequest("if_match_refused", message);

/** Reads an input and refuses text that cannot be stored; a tRPC call may leave it out. */
export async function readInput(getRawInput: () => Promise<unknown>): Promise<unknown> {
  const input = (await getRawInput()) ?? {};
  const path = unsafeText(input);
  if (path === undefined) return input;
  const message = "The text contains a NUL character or an unpaired surrogate.";
  throw badRequest("invalid_text", message, path);
}

type Node = { value: unknown; step?: string | number; parent?: Node };

const isUnsafe = (text: string) => text.includes("\0") || !text.isWellFormed();

/** The path to text that PostgreSQL or JSON cannot store, if there is such text. */
export function unsafeText(root: unknown): (string | number)[] | undefined {
  // One pass without recursion: the input may nest to any depth.
  const open: Node[] = [{ value: root }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { value } = node;
    if (typeof value === "string") {
      if (isUnsafe(value)) return pathOf(node);
    } else if (Array.isArray(value)) {
      for (const [step, item] of value.entries()) open.push({ value: item, step, parent: node });
    } else if (typeof value === "object" && value !== null) {
      for (const [step, item] of Object.entries(value)) {
        const inner = { value: item, step, parent: node };
        // The ids of custom fields are keys, and become values of a statement.
        if (isUnsafe(step)) return pathOf(inner);
        open.push(inner);
      }
    }
  }
  return undefined;
}

function pathOf(node: Node): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Node | undefined = node; at?.step !== undefined; at = at.parent) path.push(at.step);
  return path.toReversed();
}
