import type { Operation } from "../../contract/policy.ts";
import { badRequest } from "../../platform/errors.ts";
import { takesIfMatch } from "../request/rest.ts";
import { middleware } from "../request/trpc.ts";

/** A fixed operation: clients may send it any header that has no meaning for it. */
const ignores: Operation = "workspace.create";

/** Refuses an `If-Match` that nothing compares: an ignored condition would write all the same. */
export const refuseIfMatch = (name: Operation) =>
  middleware(({ ctx: { ifMatch, httpBatch }, meta, next }) => {
    if (ifMatch === undefined) return next();
    if (httpBatch !== undefined) {
      throw refused(
        "If-Match does not apply to several calls in one request. Send the call alone.",
      );
    }
    if (name === ignores || takesIfMatch(name, meta?.more)) return next();
    throw refused(
      meta?.more?.batch === true
        ? "If-Match does not apply to a batch. Set ifVersion of its operations instead."
        : `If-Match does not apply to ${name}, whose target has no version. Omit the header.`,
    );
  });

const refused = (message: string) => badRequest("if_match_refused", message);
