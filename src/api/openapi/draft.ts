import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { generateOpenApiDocument } from "trpc-to-openapi";
import { z } from "zod";
import { routesOf } from "../rest/dispatch.ts";
import { Schema } from "../../kernel/schemas/schema.ts";

const Parameter = z.looseObject({
  in: z.enum(["path", "query"]),
  name: z.string(),
  required: z.boolean().optional(),
  schema: Schema,
});
const Content = z.object({ "application/json": z.object({ schema: Schema }) });
const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.object({ 200: z.object({ content: Content }) }),
});
const Draft = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});

/** One operation as trpc-to-openapi describes it. */
export type Drafted = z.infer<typeof Operation>;

/** A path or query parameter as trpc-to-openapi describes it. */
export type DraftedParameter = z.infer<typeof Parameter>;

/** What trpc-to-openapi makes of the router, as far as we build on it: inputs, outputs and shared schemas; failures and headers are our own. */
export const draftOf = (router: AnyRouter) =>
  Draft.parse(generateOpenApiDocument(readable(router), { title: "", version: "", baseUrl: "" }));

/** It takes no subscriptions: to it they are queries that answer one of what they tell. */
function readable(router: AnyRouter): AnyRouter {
  const known: Record<string, AnyProcedure> = router._def.procedures;
  const told = new Map(routesOf(router).map(({ name, more }) => [name, more.events]));
  const procedures = Object.entries(known).map(([name, procedure]) => {
    const output = told.get(name);
    const asQuery = { _def: { ...procedure._def, type: "query", output } };
    return [name, output === undefined ? procedure : asQuery];
  });
  return { ...router, _def: { ...router._def, procedures: Object.fromEntries(procedures) } };
}
