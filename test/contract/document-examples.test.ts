import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { createDocument } from "../../src/http/openapi/document.ts";
import { exampleIds } from "../../src/http/openapi/values.ts";
import { routesOf } from "../../src/http/dispatch.ts";
import { appRouter } from "../../src/router.ts";
import { useApp } from "../support/app.ts";
import { as } from "../support/as.ts";
import { fakeDns } from "../support/dns.ts";
import { makeBoard, makeCard, makeUser, makeWorkspace, type User } from "../support/make.ts";

type Any = any;
const document: Any = createDocument(appRouter, "http://127.0.0.1:3000");
const routes = routesOf(appRouter).map((route): [string, typeof route, Any] => [
  route.name,
  route,
  document.paths[route.path][route.method.toLowerCase()],
]);

/** The fields of an operation's example, from path, query and body together. */
const inputOf = ({ parameters, requestBody }: Any): Record<string, unknown> => ({
  ...Object.fromEntries(
    parameters
      .filter((one: Any) => one.example !== undefined)
      .map((one: Any) => [one.name, one.example]),
  ),
  ...requestBody?.content["application/json"].example,
});

describe.each(routes)("the examples of %s", (name, { schema }, operation) => {
  const media = operation.responses[200].content;

  test("are a request that is accepted by validation", async () => {
    const { error } = await schema.safeParseAsync(inputOf(operation));
    expect(error?.issues).toBe(undefined);
  });

  test("have a value for all that is required, of its kind", () => {
    const body = operation.requestBody?.content["application/json"];
    if (body !== undefined) expectValid(body.schema, body.example);
    const own = operation.parameters.filter((one: Any) => one.$ref === undefined);
    for (const one of own.filter(({ example }: Any) => example !== undefined)) {
      expectValid(one.schema, one.example);
    }
    expect(own.filter(({ required, example }: Any) => required && example === undefined)).toEqual(
      [],
    );
  });

  test("are an answer as it is declared", () => {
    const [type, { schema: answer, example }] = Object.entries<Any>(media)[0] ?? ["", {}];
    expect(type).toBe(name === "integration.callback" ? "text/html" : "application/json");
    expectValid(answer, example);
  });
});

test("the examples of failures are failures, each of its own code", () => {
  const codes = Object.values<Any>(document.components.responses).flatMap(({ content }) => {
    if (content === undefined) return [];
    const { schema, example } = content["application/json"];
    expectValid(schema, example);
    return [example.code];
  });
  expect(codes.length).toBeGreaterThan(10);
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats.default(ajv);
function expectValid(schema: object, value: unknown): void {
  const whole = { ...schema, $defs: document.components.schemas };
  const text = JSON.stringify(whole).replaceAll("#/components/schemas/", "#/$defs/");
  ajv.validate(JSON.parse(text), value);
  expect(ajv.errors).toBe(null);
}

describe("a request made from the example", () => {
  const app = useApp({
    outgoing: {
      resolve: fakeDns({ "hooks.example.com": ["127.0.0.1"] }).resolve,
      policy: { allowHttp: true, allowedSubnets: ["127.0.0.0/8"] },
      now: () => new Date(),
      version: "test",
    },
  });
  let user: User;
  let ids: Record<string, string>;
  /** What no two calls can share, or nobody can know beforehand. */
  let secrets: Record<string, string>;
  test("does auth.register, on whose account auth.login goes on", async () => {
    const { status } = await as(app()).rest.post("/auth/register", exampleOf("auth.register"));
    expect(status).toBe(200);
  });

  const exampleOf = (name: string) => {
    const [, , operation] = routes.find(([one]) => one === name) ?? [];
    return inputOf(operation);
  };

  /** Things to work on in place of those that the examples name. */
  async function makeThings() {
    user = await makeUser(app());
    const workspace = await makeWorkspace(app(), user);
    const { rest } = user;
    const board = await makeBoard(workspace);
    const card = await makeCard(user, board.lists[0] ?? "");
    const { body: checklist } = await rest.post(`/cards/${card}/checklists`, {
      name: "Checklist",
      items: ["Item"],
    });
    const { body: webhook } = await rest.post(`/workspaces/${workspace.publicId}/webhooks`, {
      ...exampleOf("webhook.create"),
      workspacePublicId: undefined,
      boardPublicId: undefined,
    });
    const stranger = await makeWorkspace(app());
    const { body: invite } = await stranger.admin.rest.post(
      `/workspaces/${stranger.publicId}/invites`,
    );
    const { body: me } = await rest.get(`/workspaces/${workspace.publicId}`);
    const { body: other } = await rest.post("/auth/login", {
      email: user.email,
      password: "a password for tests",
    });
    const { body: sessions } = await rest.get("/auth/sessions");
    const { body: key } = await rest.post("/auth/api-keys", { name: "Key" });
    ids = {
      workspace: workspace.publicId,
      board: board.publicId,
      list: board.lists[0] ?? "",
      label: board.labels[0] ?? "",
      card,
      checklist: checklist.publicId,
      checklistItem: checklist.items[0].publicId,
      webhook: webhook.publicId,
      member: me.memberPublicId,
      role: workspace.roles.guest,
      session: sessions.find((one: Any) => !one.isCurrent).publicId,
      apiKey: key.publicId,
    };
    secrets = {
      inviteCode: invite.inviteCode,
      refreshToken: other.refreshToken,
      slug: `slug-${card}`,
    };
  }

  // What these leave behind is of no use to the next.
  const spending = new Set([
    "auth.logout",
    "auth.refresh",
    "invite.accept",
    "permission.revokeFromMember",
    "workspace.create",
  ]);
  let spent = true;
  const reaching = /^(?:integration|import)\./;
  const inside = routes.filter(([name]) => !reaching.test(name) && name !== "auth.register");
  test.each(inside)("does %s", async (name, { method, path }, operation) => {
    if (spent) await makeThings();
    spent = method === "DELETE" || spending.has(name);
    const input = Object.fromEntries(
      Object.entries(inputOf(operation)).map(([field, value]) => [
        field,
        secrets[field] ?? substituted(value),
      ]),
    );
    const inBody = Object.keys(operation.requestBody?.content["application/json"].example ?? {});
    const body = Object.fromEntries(inBody.map((field) => [field, input[field]]));
    const query = operation.parameters.filter(
      (one: Any) => one.in === "query" && one.name in input,
    );
    const search = new URLSearchParams(
      query.map((one: Any) => [one.name, String(input[one.name])]),
    );
    const answer = await app().call({
      method,
      path: `${path.replace(/\{(\w+)\}/g, (_, field) => String(input[field]))}?${String(search)}`,
      token: user.token,
      ...(operation.requestBody === undefined ? {} : { body }),
    });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  });

  const substitutes = new Map(Object.entries(exampleIds).map(([kind, id]) => [id, kind]));
  const substituted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(substituted)
      : typeof value === "string" && substitutes.has(value)
        ? ids[substitutes.get(value) ?? ""]
        : value;
});
