import type { AnyRouter } from "@trpc/server";
import { routesOf } from "../rest/dispatch.ts";
import { tags } from "../../kernel/request/rest.ts";
import { draftOf, type Drafted } from "./draft.ts";
import { exemplifier } from "../../kernel/schemas/example.ts";
import { headers, parameters } from "./headers.ts";
import { describe } from "./operation.ts";
import { failureSchemas, responses } from "./responses.ts";
import { onlyUsed } from "./used.ts";
import { describeWebhooks } from "./webhooks.ts";
import { nameOf, refTo, tidy, tidyAll, type Schema } from "../../kernel/schemas/schema.ts";

const about = `The whole interface of the service over REST. Every operation is a procedure of the same name over tRPC as well.

All bodies are JSON. Every failure answers with the \`Error\` schema. \`x-required-permission\` is the permission that an
operation needs in the workspace that its target lies in; \`member\` asks for any active member, \`self\` for any signed-in
caller, \`operator\` for the key of whoever runs the service, \`public\` for nobody. With \`x-or-creator\` whoever made the thing may as well. \`x-emits\` lists the events that an
operation announces.`;

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "An access token, from `auth.register` or `auth.login`, an API key, or a token of the trusted issuer.",
  },
  adminKey: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Key",
    description: "The `ADMIN_KEY` of whoever runs the service.",
  },
  ticket: {
    type: "apiKey",
    in: "query",
    name: "ticket",
    description: "A ticket from `auth.streamTicket`: good once, for a stream.",
  },
};

/** The exported document: what trpc-to-openapi says of inputs and outputs, and what policy, dispatcher and catalogue of failures add to it. */
export function createDocument(router: AnyRouter, baseUrl: string): Record<string, unknown> {
  const draft = draftOf(router);
  const sent = describeWebhooks();
  const schemas: Record<string, Schema> = {
    ...sent.schemas,
    ...tidyAll(draft.components.schemas),
    ...failureSchemas,
  };
  const exemplify = exemplifier(schemas);
  const routes = new Map(routesOf(router).map((route) => [`${route.method} ${route.path}`, route]));
  const described = Object.entries(draft.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, drafted]) => {
        const route = routes.get(`${method.toUpperCase()} ${path}`);
        if (route === undefined) throw new Error(`${method} ${path} is not served.`);
        return [method, describe(drafted, route, outputOf(drafted, schemas), exemplify)];
      }),
    ),
  ]);
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Workspace Board Service",
      version: "1.0.0",
      description: about,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${baseUrl}/api/v1` }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(described),
    webhooks: sent.webhooks,
    components: { securitySchemes, schemas, parameters, headers, responses },
  };
  return { ...document, components: onlyUsed(document) };
}

/** The schema of an answer; a page of things gets their name. */
function outputOf({ responses: drafted }: Drafted, schemas: Record<string, Schema>): Schema {
  const schema = tidy(drafted[200].content["application/json"].schema);
  const { items, nextCursor } = schema.properties ?? {};
  const $ref = items?.items?.$ref;
  if ($ref === undefined || nextCursor === undefined) return schema;
  const name = `${nameOf($ref)}Page`;
  schemas[name] = schema;
  return refTo(name);
}
