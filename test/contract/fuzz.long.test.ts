import fc from "../support/fast-check.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { zocker } from "zocker";
import { EventPattern } from "../../src/outbound/webhooks/pattern.ts";
import { ColourCode } from "../../src/contract/vocabulary/texts.ts";
import { routesOf, type Route } from "../../src/api/rest/routes.ts";
import { batchable } from "../../src/app/router/batch.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { Filter, FilterText, SortKeysText } from "../../src/contract/filter/schema.ts";
import { ViewFilter } from "../../src/contract/resources/views.ts";
import type { FilterTree } from "../../src/contract/filter/tree.ts";
import { BatchedOperation } from "../../src/kernel/batch/schemas.ts";
import { useApp, type Call, type Reply } from "../support/app.ts";
import { expectFailure, expectIssues, type Code } from "./failure.ts";
import { makeUser, type User } from "../support/make.ts";
import { makeWorld, type World } from "./world.ts";

/** More of them: FUZZ_RUNS=15. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 8);

const app = useApp({
  // No request leaves the machine: no name resolves, and port 1 is closed.
  outgoing: {
    resolve: () => Promise.resolve([]),
    policy: { allowHttp: false, allowedSubnets: [] },
    now: () => new Date(),
    version: "0",
  },
  env: { TRELLO_API_URL: "http://127.0.0.1:1", GITHUB_API_URL: "http://127.0.0.1:1" },
});
let world: World;
/** The user whose sessions and keys may be revoked. */
let spare: User;
let ids: Record<string, string>;
beforeAll(async () => {
  // Reads of the feed do not wait for events.
  app().deps.hub.release();
  world = await makeWorld(app());
  spare = await makeUser(app());
  const { body: card } = await world.admin.rest.get(`/cards/${world.card}`);
  ids = {
    workspacePublicId: world.workspace.publicId,
    boardPublicId: world.board,
    listPublicId: world.list,
    cardPublicId: world.card,
    labelPublicId: world.label,
    checklistPublicId: card.checklists[0].publicId,
    checklistItemPublicId: world.item,
    memberPublicId: world.member.memberPublicId,
    rolePublicId: world.workspace.roles.guest,
    webhookPublicId: world.webhook,
  };
});

type Input = Record<string, unknown>;
type Change = { at: number; how: "set" | "remove" | "add"; value: unknown };

const texts = [
  "",
  "\0",
  "\ud800",
  "a\udc00",
  "🙂".repeat(40),
  "a".repeat(70_000),
  "%00",
  "../../..",
  "*",
  "' OR 1=1 --",
  "9999-99-99T99:99:99Z",
  "0001-01-01T00:00:00Z",
  "null",
  "{}",
  "\u202e",
];
const others: unknown[] = [
  -1,
  -0,
  0.1,
  1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  true,
  null,
  [],
  {},
  [[]],
  [null],
  { a: {} },
  JSON.parse('{"__proto__":{"a":1},"constructor":{}}'),
  Array.from({ length: 2000 }, () => "a"),
];
const nasty = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.constantFrom(...texts),
  fc.constantFrom<unknown>(...others),
  // An id of another kind.
  fc.nat(9).map((index) => () => Object.values(ids)[index]),
);
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(40),
  how: fc.constantFrom("set", "set", "set", "remove", "add"),
  value: nasty,
});

type Made = { seed: number; real: boolean; drop: number; changes: Change[] };
const made: fc.Arbitrary<Made> = fc.record({
  seed: fc.nat(),
  real: fc.integer({ min: 0, max: 3 }).map((luck) => luck > 0),
  drop: fc.nat(),
  changes: fc.oneof(fc.constant<Change[]>([]), fc.array(change, { maxLength: 3 })),
});

const batched = Object.keys(batchable);

const trees: [FilterTree, ...FilterTree[]] = [
  { field: "members", op: "is", value: "me" },
  {
    not: {
      or: [
        { field: "title", op: "contains", value: "%_\\" },
        { field: "dueDate", op: "isEmpty" },
      ],
    },
  },
  {
    and: [
      { field: "dueDate", op: "within", value: "next 7 days" },
      { field: "priority", op: "isAnyOf", value: ["high"] },
    ],
  },
  { field: "fields.f3i7e1l5d9q2", op: "gte", value: 1e308 },
];

/** A valid input with mostly existing ids and without some optional fields, then changed. */
function inputOf({ schema }: Route, { seed, real, drop, changes }: Made): Input {
  const input = zocker(schema)
    .supply(ColourCode, "#1f2e3d")
    .supply(EventPattern, "card.*")
    .supply(Filter, structuredClone(trees[seed % trees.length] ?? trees[0]))
    .supply(ViewFilter, structuredClone(trees[seed % trees.length] ?? trees[0]))
    .supply(FilterText, structuredClone(trees[seed % trees.length] ?? trees[0]))
    .supply(SortKeysText, [{ field: "dueDate", order: "asc" }])
    .supply(BatchedOperation.shape.operation, batched[seed % batched.length] ?? "")
    .unknown({ strategy: "json-compatible" })
    .setSeed(seed)
    .generate() as Input;
  for (const [index, field] of Object.keys(input).entries()) {
    const id = ids[field.replace(/^(before|after)Card/, "card")];
    const optional = schema.shape[field]?.safeParse(undefined).success;
    if (input[field] === undefined || (optional && (drop >> index) % 2 === 0)) delete input[field];
    else if (real && id !== undefined) input[field] = id;
    else if (real && field === "url") input[field] = "https://93.184.215.14/";
  }
  for (const { at, how, value } of changes) {
    const spots: [Record<string, unknown>, string][] = [];
    const visit = (node: unknown) => {
      if (typeof node !== "object" || node === null) return;
      for (const key of Object.keys(node)) {
        spots.push([node as Record<string, unknown>, key]);
        visit((node as Record<string, unknown>)[key]);
      }
    };
    visit(input);
    const [holder, key] = spots[at % Math.max(1, spots.length)] ?? [input, "x"];
    const put = typeof value === "function" ? value() : structuredClone(value);
    if (how === "remove") delete holder[key];
    else holder[how === "add" ? `x${at}` : key] = put;
  }
  return input;
}

const textOf = (value: unknown) =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 2000).toWellFormed();

/** The REST request: text ids in the path, the rest in query or body. */
function restCall({ method, path }: Route, input: Input): Call {
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, id: string) => {
    const text = textOf(rest[id] ?? "x");
    delete rest[id];
    return encodeURIComponent(text) || "x";
  });
  if (method !== "GET") return { method, path: filled, body: rest };
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([field, value]) =>
      [value].flat().map((each): [string, string] => [field, textOf(each)]),
    ),
  );
  return { method, path: `${filled}?${query.toString()}` };
}

function trpcCall({ name, definition }: Route, input: Input): Call {
  if (definition.type !== "query") return { method: "POST", path: `/trpc/${name}`, body: input };
  return {
    method: "GET",
    path: `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`,
  };
}

// Destructive operations come last.
const ending = /delete|revoke|logout/i;
const rank = ({ name }: Route) =>
  Number(ending.test(name)) + Number(/^(workspace.delete|auth.logout)$/.test(name));
const routes = routesOf(appRouter).toSorted((one, other) => rank(one) - rank(other));

describe("random input", () => {
  test.each(routes)("$name never responds with 500", async (route) => {
    await fc.assert(
      fc.asyncProperty(made, async (how) => {
        const input = inputOf(route, how);
        const { token } = route.name.startsWith("auth.") ? spare : world.admin;
        const rest = await app().call({ ...restCall(route, input), token });
        if (rest.status >= 400) expectFailure(withoutIndex(route, rest), rest.body.code as Code);
        const native = await app().call({ ...trpcCall(route, input), token });
        if (native.status >= 400) expectIssues(native.body.error.data.issues);
        // A database that is slow for a moment is what a probe has to tell.
        const here = route.name === "health.check" ? [...allowed, 503] : allowed;
        expect(here).toContain(rest.status);
        expect(here).toContain(native.status);
      }),
      { numRuns: runs },
    );
  });
});

/** A response without the index of the failed operation, which only a batch may have. */
function withoutIndex({ name }: Route, reply: Reply): Reply {
  const { failedAt, ...body } = reply.body;
  if (failedAt === undefined) return reply;
  expect([name, failedAt]).toEqual(["workspace.batch", expect.any(Number)]);
  return { ...reply, body };
}

// 303 is a redirect, 502 is the closed port instead of Trello.
const allowed = [200, 303, 400, 401, 403, 404, 409, 413, 415, 422, 502];
