import { emitsToWorkspaces, ruleOf } from "../../contract/policy.ts";
import type { RestOptions } from "../../kernel/request/rest.ts";
import type { Route } from "../rest/routes.ts";
import type { Exemplify } from "../../kernel/schemas/example.ts";
import { commonHeaders, headersNamed } from "./headers.ts";
import { notModified, outOfRange, snapshotNotModified } from "./responses.ts";
import type { Schema } from "../../kernel/schemas/schema.ts";

type Response = readonly [status: string, response: object];

/** The success responses of an operation. */
export function successResponses(
  route: Route,
  schema: Schema,
  exemplify: Exemplify,
  links: object,
): Response[] {
  const { operation, method, options, definition } = route;
  if (options.page) return page;
  if (options.response === "bytes") return file(options);
  if (options.response === "stream") return streamedFile(options);
  if (options.events !== undefined) return stream(schema, exemplify(schema, operation));
  const rule = ruleOf(operation);
  const isRead = method === "GET";
  const publishes = emitsToWorkspaces(rule) || options.batch === true;
  const hasVersion =
    isRead || "needs" in rule || emitsToWorkspaces(rule) || options.versioned === true;
  const ok = {
    description: "Success",
    headers: {
      ...commonHeaders,
      ...(hasVersion ? headersNamed("ETag") : {}),
      ...(isRead || definition.type === "query" ? {} : headersNamed("Idempotency-Replayed")),
      ...(publishes ? headersNamed("Last-Event", "Feed-Cursor") : {}),
      ...(options.snapshot ? headersNamed("Feed-Cursor") : {}),
    },
    content: { "application/json": { schema, example: exemplify(schema, operation) } },
    ...(Object.keys(links).length === 0 ? {} : { links }),
  };
  return [
    ["200", ok],
    ...(isRead ? [["304", options.snapshot ? snapshotNotModified : notModified] as const] : []),
  ];
}

/** The response of an event stream. */
const stream = (schema: Schema, example: unknown): Response[] => [
  [
    "200",
    {
      description:
        "Server-sent events. `data` has this schema, `event` is the type, `id` is the cursor",
      headers: commonHeaders,
      content: { "text/event-stream": { schema, example } },
    },
  ],
];

const binary = { schema: { type: "string", format: "binary" } };

/** Content of any type. */
const bytes = { "application/octet-stream": binary };

/** A file as the body, or as the one file of a form. */
export const fileBody = {
  ...bytes,
  "multipart/form-data": {
    schema: { type: "object", properties: { file: binary.schema }, required: ["file"] },
  },
};

/** JSON of a file, of any form. */
const anyJson = { schema: {} };

/** Text of a file. Its format, such as `csv`, lets generators choose another type for it. */
const textOf = (type: string) => ({
  schema: { type: "string", format: type.slice("text/".length) },
});

const contentOf = ({ contentTypes = [] }: RestOptions) =>
  Object.fromEntries(contentTypes.map((type) => [type, binary]));

/** A generated file, whose encoding is UTF-8 where it is text. */
const generatedContent = ({ contentTypes = [] }: RestOptions) =>
  Object.fromEntries(
    contentTypes.map((type) => {
      if (type === "application/json") return [type, anyJson];
      return [type, type.startsWith("text/") ? textOf(type) : binary];
    }),
  );

const fileResponseHeaders = {
  ...commonHeaders,
  ...headersNamed("ETag", "Accept-Ranges", "Content-Disposition"),
};

const file = (options: RestOptions): Response[] => [
  ["200", { description: "The file", headers: fileResponseHeaders, content: contentOf(options) }],
  [
    "206",
    {
      description: "The requested range of the file",
      headers: { ...fileResponseHeaders, ...headersNamed("Content-Range") },
      content: contentOf(options),
    },
  ],
  ["304", notModified],
  ["416", outOfRange],
];

const streamedFile = (options: RestOptions): Response[] => [
  [
    "200",
    {
      description: "The generated file",
      headers: {
        ...commonHeaders,
        ...headersNamed("Content-Disposition", ...(options.snapshot ? ["ETag" as const] : [])),
      },
      content: generatedContent(options),
    },
  ],
  ...(options.snapshot ? [["304", notModified] as const] : []),
];

const page: Response[] = [
  [
    "200",
    {
      description: "A page that confirms the success",
      headers: commonHeaders,
      content: {
        "text/html": { schema: { type: "string" }, example: "<!doctype html><p>…</p>" },
      },
    },
  ],
  ["303", { description: "Redirect to the return URL", headers: headersNamed("Location") }],
];
