import type { Operation } from "../../contract/policy.ts";
import { badRequest } from "../../platform/errors.ts";
import { takesIfMatch } from "../request/rest.ts";
import { middleware } from "../request/trpc.ts";

/** Refuses an `If-Match` that nothing compares: an ignored condition would write all the same. */
export const refuseIfMatch = (name: Operation) =>
  middleware(({ ctx: { ifMatch, httpBatch }, meta, next }) => {
    if (ifMatch === undefined) return next();
    if (httpBatch !== undefined) {
      throw refused("A request of several calls takes no If-Match. Send the call alone.");
    }
    if (takesIfMatch(name, meta?.more)) return next();
    throw refused(
      meta?.more?.batch === true
        ? "A batch takes no If-Match. Set ifVersion of its operations instead."
        : `${name} takes no If-Match: it changes no resource with a version. Omit the header.`,
    );
  });

const refused = (message: string) => badRequest("if_match_refused", message);
