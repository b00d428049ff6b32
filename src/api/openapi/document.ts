import type { AnyRouter } from "@trpc/server";
import { routesOf } from "../rest/routes.ts";
import { tags } from "../../kernel/request/rest.ts";
import { atUrl } from "./at-url.ts";
import { describeBatch } from "./batch.ts";
import { createDraft, type Drafted } from "./draft.ts";
import { openEnums } from "./for-generators.ts";
import { boardEvent, eventSchemas, withHeartbeats } from "./events.ts";
import { exemplifier } from "../../kernel/schemas/example.ts";
import { headers, parameters } from "./headers.ts";
import { describeOperation, type DescribedOperation, type Shared } from "./operation.ts";
import { failureSchemas, responses } from "./responses.ts";
import { describeUnions } from "./unions.ts";
import { usedComponents } from "./used-components.ts";
import { nameSchemas, safeName } from "./name-schemas.ts";
import { describeWebhooks, webhookTag } from "./webhooks.ts";
import { schemaName, refTo, tidy, tidyAll, type Schema } from "../../kernel/schemas/schema.ts";

const introduction = `The REST API of the service.
Every operation is also a tRPC procedure with the same name.

Bodies are JSON, except files. Every error has the \`ErrorResponse\` schema. Some occur
before an operation is found: 405 for another method of the path, 408 for headers that arrive too
slowly, 417 for an unknown \`Expect\`, and 431 for headers of more than 16 KiB.

PATCH works wherever PUT does: both change only the fields that are sent. A slash at the end of a
path is ignored. The header \`X-API-Key\` can replace \`Authorization: Bearer\`, which
has precedence. Unknown query parameters are refused, but ignored by \`workspace.list\`,
\`workspace.create\`, \`integration.githubProjects\` and \`import.trelloBoards\`.

\`x-required-permission\` is the permission that an operation requires in the
workspace of its target.
\`member\` means any active member, \`self\` any credential (API keys only where allowed),
\`operator\` the admin key or a session of an operator's account, and \`public\` no credential.
With \`x-or-creator\` the creator of the target may call it too, without that permission.
\`x-view-permissions\` are permissions that the response requires as well, even for creators.
A response omits other parts that the caller may not view.
\`x-emits\` lists the events that the operation can emit.

A later version can add operations, optional fields, and values of texts with \`x-known-values\`.
It can also add types of events: ignore those whose \`type\` you do not know.`;

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "An access token from `auth.register` or `auth.login`, an API key, " +
      "or a token from the trusted issuer.",
  },
  adminKey: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Key",
    description: "The `ADMIN_KEY` of the service.",
  },
  ticket: {
    type: "apiKey",
    in: "query",
    name: "ticket",
    description: "A ticket from `auth.streamTicket`. It opens one stream.",
  },
};

/**
 * The OpenAPI document.
 *
 * trpc-to-openapi describes inputs and outputs; policy, routes and error catalogue add the rest.
 */
export function createDocument(router: AnyRouter, baseUrl: string): Record<string, unknown> {
  const draft = createDraft(router);
  const webhooks = describeWebhooks();
  const schemas = describeUnions({
    ...webhooks.schemas,
    ...eventSchemas(),
    ...withHeartbeats(openResponses(draft)),
    BoardEvent: boardEvent,
    ...failureSchemas,
  });
  const exemplify = exemplifier(schemas);
  const routes = routesOf(router);
  const paths = describePaths(draft.paths, { exemplify, schemas, routes });
  const about = {
    openapi: "3.1.0",
    info: {
      title: "Workspace Board Service",
      version: "1.0.0",
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    tags: Object.entries({ ...tags, ...webhookTag }).map(([name, description]) => ({
      name,
      description,
    })),
    paths,
    webhooks: webhooks.webhooks,
  };
  const document = atUrl(about, baseUrl);
  const components = { securitySchemes, schemas, parameters, headers, responses };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const used = usedComponents({ ...document, components });
  return openEnums(
    nameSchemas(document, used, (namedSchemas) => describeBatch(routes, operations, namedSchemas)),
  );
}

/** The operations by path and method. */
function describePaths(
  paths: Readonly<Record<string, Record<string, Drafted>>>,
  shared: Shared,
): Record<string, Record<string, DescribedOperation>> {
  const routes = new Map(shared.routes.map((route) => [`${route.method} ${route.path}`, route]));
  const described = Object.entries(paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, drafted]) => {
      const route = routes.get(`${method.toUpperCase()} ${path}`);
      if (route === undefined) throw new Error(`${method} ${path} is not served.`);
      const output = outputOf(drafted, shared.schemas);
      return [method, describeOperation(drafted, route, output, shared)] as const;
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  return Object.fromEntries(described);
}

/** The schema of a response. A page is named after its items. */
function outputOf({ responses: drafted }: Drafted, schemas: Record<string, Schema>): Schema {
  const schema = openOne(tidy(drafted[200].content["application/json"].schema));
  const { items, nextCursor } = schema.properties ?? {};
  const $ref = items?.items?.$ref;
  if ($ref === undefined || nextCursor === undefined) return schema;
  const name = `${schemaName($ref)}Page`;
  const about = `A page of \`${safeName(schemaName($ref))}\`.`;
  schemas[name] = { ...schema, description: about };
  return refTo(name);
}

/** The schemas of a draft; those that only requests have refuse unknown fields. */
function openResponses({ paths, components }: ReturnType<typeof createDraft>) {
  const schemas = tidyAll(components.schemas);
  const drafts = Object.values(paths).flatMap((methods) => Object.values(methods));
  const used = (parts: unknown) => usedComponents({ paths: parts, components: { schemas } });
  const requested = used(drafts.map(({ requestBody }) => requestBody)).schemas ?? {};
  const answered =
    used([drafts.map(({ responses: drafted }) => drafted), eventSchemas()]).schemas ?? {};
  const strict = Object.entries(schemas).filter(
    ([name]) => name in requested && !(name in answered),
  );
  return { ...openAll(schemas), ...Object.fromEntries(strict) };
}

/** Opens a schema: an answer may get new fields in a later version. */
function openOne({ additionalProperties, properties, items, anyOf, ...rest }: Schema): Schema {
  return {
    ...rest,
    ...(additionalProperties === false ? {} : { additionalProperties }),
    ...(properties === undefined ? {} : { properties: openAll(properties) }),
    ...(items === undefined ? {} : { items: openOne(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(openOne) }),
  };
}

const openAll = (schemas: Record<string, Schema>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, openOne(schema)]));
