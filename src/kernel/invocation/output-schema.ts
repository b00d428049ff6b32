import type { z } from "zod";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { filterOutput } from "../access/filter-output.ts";
import type { Context } from "../request/context.ts";

/** The schema of an operation's answer; without one, the response is not JSON. */
export type OutputSchema = {
  schema?: z.ZodType;
  /** Reduces a stored answer to what the caller may see now, where the schema does not. */
  showReplay?: (ctx: Context, input: unknown, data: unknown) => Promise<unknown>;
};

/** Reduces an answer to what the member may see; others have no workspace. */
export const visibleOutput = (
  data: unknown,
  { schema }: OutputSchema,
  membership: { may: ReadonlySet<Permission> } | null,
): unknown =>
  schema === undefined || membership === null ? data : filterOutput(schema, data, membership.may);
