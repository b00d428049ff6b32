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
