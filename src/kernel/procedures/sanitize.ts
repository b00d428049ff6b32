import { badRequest } from "../../platform/errors.ts";
import { middleware } from "../request/trpc.ts";
import { unsafeText } from "./unsafe-text.ts";

/** Refuses text that cannot be stored; a tRPC call without an input has an empty one. */
export const sanitize = middleware(async ({ getRawInput, next }) => {
  const input = (await getRawInput()) ?? {};
  const path = unsafeText(input);
  if (path !== undefined) {
    throw badRequest(
      "invalid_text",
      "The text contains a NUL character or an unpaired surrogate.",
      path,
    );
  }
  return next({ getRawInput: async () => input });
});
