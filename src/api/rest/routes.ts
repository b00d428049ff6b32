import type { z } from "zod";
import type { AnyProcedure, AnyRouter } from "@trpc/server";
import type { Operation } from "../../contract/policy.ts";
import type { RestOptions } from "../../kernel/request/rest.ts";
import { definitionOf, type Definition } from "../../kernel/procedures/builder.ts";

/** The REST route of a procedure. `path` contains `{ids}` and is relative to `/api/v1`. */
export type Route = {
  name: string;
  operation: Operation;
  method: string;
  path: string;
  options: RestOptions;
  definition: Definition;
  schema: z.ZodObject;
};

/** All REST routes. A fixed segment comes before a parameter in the same position. */
export function routesOf(router: AnyRouter): Route[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  return Object.entries(procedures)
    .flatMap(([name, procedure]): Route[] => {
      const definition = definitionOf(procedure);
      const { operation, openapi, options = {} } = definition.meta;
      if (openapi === undefined || operation === undefined) return [];
      const { method, path } = openapi;
      return [{ name, operation, method, path, options, definition, schema: definition.input }];
    })
    .toSorted((one, other) => comparePaths(rank(one.path), rank(other.path)));
}

// "~" sorts after every letter by code unit, but not in every locale.
const rank = (path: string) => path.replace(/\{[^}]+\}/g, "~");
const comparePaths = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
