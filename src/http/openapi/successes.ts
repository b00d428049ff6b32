import { ruleOf } from "../../access/policy.ts";
import type { Route } from "../dispatch.ts";
import { subjectOf, type Exemplify } from "./example.ts";
import { declared } from "./failures.ts";
import { etagHeader, everyHeader, locationHeader, replayedHeader } from "./headers.ts";
import { notModified } from "./responses.ts";
import type { Schema } from "./schema.ts";

type Response = readonly [status: string, response: object];

/** What an operation answers when it works. */
export function successes(route: Route, schema: Schema, exemplify: Exemplify): Response[] {
  const { operation, method, more } = route;
  if (more.page) return page;
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
