import { ruleOf } from "../../contract/policy.ts";
import type { Route } from "../rest/dispatch.ts";
import { subjectOf, type Exemplify } from "../../kernel/schemas/example.ts";
import { declared } from "./failures.ts";
import {
  etagHeader,
  everyHeader,
  fileHeaders,
  locationHeader,
  partHeaders,
  replayedHeader,
} from "./headers.ts";
import { notModified, outOfRange } from "./responses.ts";
import type { Schema } from "../../kernel/schemas/schema.ts";

type Response = readonly [status: string, response: object];

/** What an operation answers when it works. */
export function successes(route: Route, schema: Schema, exemplify: Exemplify): Response[] {
  const { operation, method, more } = route;
  if (more.page) return page;
  if (more.response === "bytes") return file;
  if (more.response === "stream") return made;
  if (more.events !== undefined) return stream(schema, exemplify(schema, subjectOf(operation)));
  const rule = ruleOf(operation);
  const isRead = method === "GET";
  const hasVersion = isRead || "needs" in rule || rule.emits !== undefined;
  const ok = {
    description: "Success",
    headers: {
      ...everyHeader,
      ...(hasVersion ? etagHeader : {}),
      ...(isRead ? {} : replayedHeader),
    },
    content: { "application/json": { schema, example: exemplify(schema, subjectOf(operation)) } },
  };
  return [
    ["200", ok],
    ...(isRead && !(operation in declared) ? [["304", notModified] as const] : []),
  ];
}

/** Each event has such data. */
const stream = (schema: Schema, example: unknown): Response[] => [
  [
    "200",
    {
      description:
        "Server-sent events, each with such data, its type as `event` and its cursor as `id`",
      headers: everyHeader,
      content: { "text/event-stream": { schema, example } },
    },
  ],
];

/** Content of whatever type, as it is. */
export const bytes = {
  "application/octet-stream": { schema: { type: "string", format: "binary" } },
};

const anyBytes = { "*/*": bytes["application/octet-stream"] };
const sent = { ...everyHeader, ...etagHeader, ...fileHeaders };
const file: Response[] = [
  ["200", { description: "The file", headers: sent, content: anyBytes }],
  [
    "206",
    {
      description: "The part of the file that was asked for",
      headers: { ...sent, ...partHeaders },
      content: anyBytes,
    },
  ],
  ["304", notModified],
  ["416", outOfRange],
];

const made: Response[] = [
  [
    "200",
    {
      description: "What was asked for, as it is made",
      headers: { ...everyHeader, ...fileHeaders },
      content: anyBytes,
    },
  ],
];

const page: Response[] = [
  [
    "200",
    {
      description: "A page that says that it worked",
      headers: everyHeader,
      content: { "text/html": { schema: { type: "string" }, example: "<!doctype html><p>…</p>" } },
    },
  ],
  ["303", { description: "Back to where it was started", headers: locationHeader }],
];
