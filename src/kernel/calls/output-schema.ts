import type { Permission } from "../../contract/vocabulary/permissions.ts";
import type { z } from "zod";
import type { Context } from "../request/context.ts";
import { filterOutput } from "../access/filter-output.ts";

/** The output schema of a procedure; undefined until its builder gets one. */
export type OutputSchema = {
  schema?: z.core.$ZodType;
  /** Reduces a stored answer to what the caller may see now, where the schema does not. */
  showAgain?: (ctx: Context, input: unknown, data: unknown) => Promise<unknown>;
};

const ends = new Set<string | symbol>(["query", "mutation", "subscription"]);

/** A procedure builder that stores the schema of `output`, so that its middlewares can filter. */
export function withOutputSchema<Builder extends object>(
  builder: Builder,
  output: OutputSchema,
): Builder {
  return new Proxy(builder, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        // `output` takes one argument, a schema: tRPC's type says so.
        if (name === "output") output.schema = given[0] as z.core.$ZodType;
        const next: unknown = Reflect.apply(member, target, given);
        return ends.has(name) || typeof next !== "object" || next === null
          ? next
          : withOutputSchema(next, output);
      };
    },
  });
}

type Result = { ok: boolean; data?: unknown };

/** Reduces the result of a procedure to what the member may see; others have no workspace. */
export function visibleResult<Of extends Result>(
  result: Of,
  { schema }: OutputSchema,
  membership: { may: ReadonlySet<Permission> } | null,
): Of {
  if (!result.ok || schema === undefined || membership === null) return result;
  return { ...result, data: filterOutput(schema, result.data, membership.may) };
}
