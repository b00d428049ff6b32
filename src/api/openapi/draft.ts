import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { generateOpenApiDocument } from "trpc-to-openapi";
import { z } from "zod";
import { routesOf } from "../rest/routes.ts";
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

/** An operation as trpc-to-openapi describes it. */
export type Drafted = z.infer<typeof Operation>;

/** A path or query parameter as trpc-to-openapi describes it. */
export type DraftedParameter = z.infer<typeof Parameter>;

/** The inputs, outputs and shared schemas of the router, by trpc-to-openapi. */
export const createDraft = (router: AnyRouter) =>
  Draft.parse(
    generateOpenApiDocument(withQueriesForSubscriptions(router), {
      title: "",
      version: "",
      baseUrl: "",
    }),
  );

/** Replaces subscriptions, which trpc-to-openapi rejects, by queries of one event. */
function withQueriesForSubscriptions(router: AnyRouter): AnyRouter {
  const known: Record<string, AnyProcedure> = router._def.procedures;
  const eventSchemas = new Map(routesOf(router).map(({ name, more }) => [name, more.events]));
  const procedures = Object.entries(known).map(([name, procedure]) => {
    const output = eventSchemas.get(name);
    const asQuery = { _def: { ...procedure._def, type: "query", output } };
    return [name, output === undefined ? procedure : asQuery];
  });
  return { ...router, _def: { ...router._def, procedures: Object.fromEntries(procedures) } };
}
