import type { Operation } from "../../contract/policy.ts";
import type { Created, HandlerContext } from "../calls/types.ts";
import type { ResourceKind } from "../../contract/vocabulary/resource-kinds.ts";
import type { TargetResources } from "../access/resources.ts";
import type { NewId } from "../idempotency/client-id.ts";

/** The public id for what an operation creates, in the context of its handler. */
export type NewIdOf<Name extends Operation> =
  Created<Name> extends never ? object : { newId: string };

/** The context of a create that an earlier call has made: what it created is in it. */
type RepeatedContext<Name extends Operation> =
  Created<Name> extends infer Kind extends ResourceKind
    ? Omit<HandlerContext<Name>, keyof TargetResources<Kind>> & TargetResources<Kind>
    : never;

/** How a create answers when an earlier call has created the resource with the client's id. */
export type Again<Name extends Operation, Extra> =
  Created<Name> extends never
    ? object
    : {
        /** Shows the resource as it is now; undefined to run the handler again. */
        again: (context: RepeatedContext<Name> & Extra) => unknown;
      };

/** The answer to a repeated create; undefined for a first one. */
export const repeatedAnswer = async (
  context: object,
  { existing }: NewId,
  options: object = {},
): Promise<unknown> =>
  existing !== null && "again" in options && typeof options.again === "function"
    ? options.again({ ...context, ...existing })
    : undefined;
