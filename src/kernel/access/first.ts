import { TRPCError } from "@trpc/server";
import { provisionUser } from "./provision.ts";
import { badRequest, Failure } from "../../platform/errors.ts";
import { checkAdminKey } from "./admin-key.ts";
import { procedure } from "../trpc.ts";
import { findCaller } from "./resolve-target.ts";
import { credentialExpired } from "./authorize.ts";
import type { Rule } from "../../contract/policy.ts";

/** Every procedure begins here: without a credential there is no answer, and what is wrong with an input is told only to a credential that is good (to the operator's key, where that is asked for). Whom the trusted issuer sends for the first time is given an account, and then answered. */
export const beginning = (on: Rule["on"]) => {
  const needsCredential = on !== "public" && on !== "operator";
  return procedure.use(async ({ ctx, getRawInput: given, next }) => {
    const { credential, deps, proof, adminKey, requestMetadata } = ctx;
    if (on === "operator") await checkAdminKey(deps, adminKey, requestMetadata.ip);
    if (needsCredential && credential instanceof Failure) throw credential;
    // A tRPC client that has nothing to say sends nothing.
    const getRawInput = async () => (await given()) ?? {};
    const attempt = async () => {
      try {
        const path = unsafeText(await getRawInput());
        if (path !== undefined) throw badRequest("The text holds a NUL or half a character.", path);
        const result = await next({ getRawInput });
        if (!result.ok) throw result.error;
        return result;
      } catch (error) {
        const hidden =
          needsCredential && !proof.good && !(credential instanceof Failure) && isInputFault(error);
        if (hidden && (await findCaller(deps.db.read, credential, deps.clock())) === null)
          throw credentialExpired();
        throw error;
      }
    };
    try {
      return await attempt();
    } catch (error) {
      if (!needsCredential || credential instanceof Failure || !isUnauthorized(error)) throw error;
      // 429 for a client that has presented too many keys that are none.
      if (credential.kind === "apiKey") await deps.limits.badCredential(requestMetadata.ip);
      if (credential.claims === undefined) throw error;
      await provisionUser(deps, credential.claims);
      return attempt();
    }
  });
};

const isUnauthorized = (error: unknown) =>
  error instanceof TRPCError && error.code === "UNAUTHORIZED";

const inputFaults: ReadonlySet<string> = new Set([
  "BAD_REQUEST",
  "PARSE_ERROR",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
]);

const isInputFault = (error: unknown) => error instanceof TRPCError && inputFaults.has(error.code);

type Place = { value: unknown; step?: string | number; above?: Place };

/** Where an input holds text that PostgreSQL or JSON cannot carry; found without recursion and in one pass, however deep it nests. */
export function unsafeText(root: unknown): (string | number)[] | undefined {
  const open: Place[] = [{ value: root }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    if (typeof value === "string") {
      if (value.includes("\0") || !value.isWellFormed()) return pathOf(place);
    } else if (Array.isArray(value)) {
      for (const [step, item] of value.entries()) open.push({ value: item, step, above: place });
    } else if (typeof value === "object" && value !== null) {
      for (const [step, item] of Object.entries(value))
        open.push({ value: item, step, above: place });
    }
  }
  return undefined;
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at: Place | undefined = place; at?.step !== undefined; at = at.above) path.push(at.step);
  return path.toReversed();
}
