import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { generateOpenApiDocument } from "trpc-to-openapi";
import { z } from "zod";
import { definitionOf } from "../../kernel/procedures/builder.ts";
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
    generateOpenApiDocument(describedProcedures(router), {
      title: "",
      version: "",
      baseUrl: "",
    }),
  );

/**
 * The procedures as trpc-to-openapi reads them, by the definitions of the operations.
 *
 * It rejects subscriptions: they are queries of one event.
 */
function describedProcedures(router: AnyRouter): AnyRouter {
  const built: Record<string, AnyProcedure> = router._def.procedures;
  const procedures = Object.entries(built).map(([name, procedure]) => {
    const { type, meta, input, output } = definitionOf(procedure);
    const events = meta.options?.events;
    const typeAndOutput =
      events === undefined ? { type, output: output.schema } : { type: "query", output: events };
    return [name, { _def: { procedure: true, meta, inputs: [input], ...typeAndOutput } }];
  });
  return { ...router, _def: { ...router._def, procedures: Object.fromEntries(procedures) } };
}
