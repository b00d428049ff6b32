import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { defaultLimits } from "../../src/contract/limits.ts";

type Schema = { $ref?: string; type?: string };
type Operation = {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const text = readFileSync("test/contract/openapi.json", "utf8");
const { paths, components }: Document = JSON.parse(text);

const resolved = (schema: Schema | undefined): Schema | undefined =>
  schema?.$ref === undefined ? schema : components.schemas[schema.$ref.split("/").at(-1) ?? ""];

/** The operations whose response is an array: all items in one response, without a cursor. */
const unpaged = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ responses }) => {
    const content = responses["200"]?.content?.["application/json"];
    return resolved(content?.schema)?.type === "array";
  })
  .map(({ operationId }) => operationId);

/** What bounds the items of each: a limit of resources, a constant, or bytes of another service. */
const bounds: Record<string, keyof typeof defaultLimits | "constant" | "foreign"> = {
  "workspace.list": "memberships",
  "role.list": "roles",
  "label.list": "labels",
  "field.list": "fields",
  "view.list": "views",
  "webhook.list": "webhooks",
  // `maxSessions` of the newest, and `maxKeys` active keys.
  "auth.sessions": "constant",
  "auth.apiKeys": "constant",
  "serviceAccount.keys": "constant",
  // One item for each event type of the catalogue, and for each service.
  "webhook.catalogue": "constant",
  "integration.providers": "constant",
  // `maxIdentities`, and the providers of the operator: at most 20.
  "signIn.identities": "constant",
  "signIn.providers": "constant",
  // The pages and the bytes that are read of GitHub's and Trello's answers.
  "integration.githubProjects": "foreign",
  "import.trelloBoards": "foreign",
};

test("every response that is an array has a bound of its items", () => {
  expect(unpaged.toSorted()).toEqual(Object.keys(bounds).toSorted());
});

test("the limits that bound arrays are settings with a default of at most 2,000 items", () => {
  const limits = defaultLimits;
  const kinds = Object.values(bounds).filter((bound) => bound in limits);
  expect(kinds.length).toBeGreaterThan(0);
  for (const kind of kinds) {
    const most = limits[kind as keyof typeof limits];
    expect([kind, most <= 2_000]).toEqual([kind, true]);
  }
});
