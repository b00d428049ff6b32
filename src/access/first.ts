import type { TRPCError } from "@trpc/server";
import { z } from "zod";
import { badRequest, Failure } from "../errors.ts";
import { procedure } from "../trpc.ts";
import { whoIs } from "./locate.ts";
import { spent } from "./permit.ts";

/** Every procedure begins here: without a credential there is no answer, and what is wrong with an input is told only to a credential that is good. */
export const beginning = (needsCredential: boolean) =>
  procedure.use(async ({ ctx, getRawInput, next }) => {
    const { credential, deps } = ctx;
    if (needsCredential && credential instanceof Failure) throw credential;
    const proof = { good: !needsCredential };
    const result = await getRawInput().then(
      (raw) => {
        const path = unsafeText(raw);
        if (path !== undefined) throw badRequest("The text holds a NUL or half a character.", path);
        return next({ ctx: { proof } });
      },
    ).catch((error: unknown) => ({ ok: false as const, error }));
    if (result.ok) return result;
    const told = !proof.good && isInputFault(result.error) && !(credential instanceof Failure);
    if (told && (await whoIs(deps.db.read, credential, deps.clock())) === null) throw spent();
    throw result.error;
  });

const inputFaults = ["BAD_REQUEST", "PARSE_ERROR", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

function isInputFault(error: unknown): error is TRPCError | z.core.$ZodError {
  return (
    error instanceof Error && "code" in error && inputFaults.includes(String(error.code))
  );
}

/** Where an input holds text that PostgreSQL or JSON cannot carry; found without recursion, however deep it nests. */
function unsafeText(root: unknown): (string | number)[] | undefined {
  const open: { value: unknown; path: (string | number)[] }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === "string") {
      if (value.includes("\0") || !value.isWellFormed()) return path;
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) open.push({ value: item, path: [...path, index] });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) open.push({ value: item, path: [...path, key] });
    }
  }
  return undefined;
}
