import { TRPCError } from "@trpc/server";
import { badRequest, Failure } from "../errors.ts";
import { procedure } from "../trpc.ts";
import { whoIs } from "./locate.ts";
import { spent } from "./permit.ts";

// A tRPC client that has nothing to say sends nothing.
const optional = procedure.use(({ getRawInput, next }) =>
  next({ getRawInput: async () => (await getRawInput()) ?? {} }),
);

/** Every procedure begins here: without a credential there is no answer, and what is wrong with an input is told only to a credential that is good. */
export const beginning = (needsCredential: boolean) =>
  optional.use(async ({ ctx, getRawInput, next }) => {
    const { credential, deps } = ctx;
    if (needsCredential && credential instanceof Failure) throw credential;
    const proof = { good: !needsCredential || credential instanceof Failure };
    try {
      const path = unsafeText(await getRawInput());
      if (path !== undefined) throw badRequest("The text holds a NUL or half a character.", path);
      const result = await next({ ctx: { proof } });
      if (!result.ok) throw result.error;
      return result;
    } catch (error) {
      const hidden = !proof.good && !(credential instanceof Failure) && isInputFault(error);
      if (hidden && (await whoIs(deps.db.read, credential, deps.clock())) === null) throw spent();
      throw error;
    }
  });

const inputFaults: ReadonlySet<string> = new Set([
  "BAD_REQUEST",
  "PARSE_ERROR",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
]);

const isInputFault = (error: unknown) => error instanceof TRPCError && inputFaults.has(error.code);

/** Where an input holds text that PostgreSQL or JSON cannot carry; found without recursion, however deep it nests. */
function unsafeText(root: unknown): (string | number)[] | undefined {
  const open: { value: unknown; path: (string | number)[] }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === "string") {
      if (value.includes("\0") || !value.isWellFormed()) return path;
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        open.push({ value: item, path: [...path, index] });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value))
        open.push({ value: item, path: [...path, key] });
    }
  }
  return undefined;
}
