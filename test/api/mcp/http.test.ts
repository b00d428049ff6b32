import { expect, test } from "vitest";
import { useApp, type App } from "../../support/app.ts";
import { startIssuerApp } from "../../support/issuer-app.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import { connect } from "./connect.ts";

const app = useApp();

type Sent = {
  token?: string;
  path?: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
};

const request = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

/** Sends one message as clients of 2025 do. */
const send = (
  to: App,
  { token, path = "/mcp", method = "POST", body = request(1, "tools/list"), headers = {} }: Sent,
) =>
  to.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(method === "POST" ? { body } : {}),
    }),
  );

const messages = {
  initialize: request(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "tests", version: "1" },
  }),
  list: request(1, "tools/list"),
  call: request(1, "tools/call", { name: "workspace_list", arguments: {} }),
  unknown: request(1, "tools/call", { name: "no_tool", arguments: {} }),
  invalid: request(1, "tools/call", { name: "card_get", arguments: {} }),
};

test.for(Object.entries(messages))("401 for %s without a valid credential", async ([, body]) => {
  for (const token of [undefined, "wbs_unknown", "no token"]) {
    const response = await send(app(), { body, ...(token === undefined ? {} : { token }) });
    expect(response.status).toBe(401);
    expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
    expect(response.headers.get("WWW-Authenticate")).toContain("resource_metadata");
  }
});

test.for(Object.entries(messages))("401 for %s after the key was revoked", async ([, body]) => {
  const { admin, publicId } = await makeWorkspace(app());
  const { body: key } = await admin.rest.post("/auth/api-keys", {
    name: "agent",
    workspacePublicId: publicId,
  });
  const token: string = key.key;
  expect((await send(app(), { token, body: messages.call })).status).toBe(200);
  await admin.rest.delete(`/auth/api-keys/${key.publicId}`);
  expect((await send(app(), { token, body })).status).toBe(401);
});

test("with an issuer, 401 leads to the metadata that names it, and its tokens are accepted", async () => {
  const { app: own, issuer } = await startIssuerApp();
  for (const path of ["/mcp", "/mcp/readonly"]) {
    const refused = await send(own, { path });
    const challenge = refused.headers.get("WWW-Authenticate") ?? "";
    const address = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge)?.[1] ?? "";
    expect(address).toMatch(/^http/);
    const metadata = await send(own, { path: new URL(address).pathname, method: "GET" });
    expect(metadata.status).toBe(200);
    expect(await metadata.json()).toMatchObject({
      resource: `${own.deps.baseUrl}${path}`,
      authorization_servers: [own.deps.baseUrl, issuer.url],
      bearer_methods_supported: ["header"],
    });
  }
  const wrong = await send(own, { token: "wbs_unknown" });
  expect(wrong.headers.get("WWW-Authenticate")).toMatch(
    /^Bearer error="invalid_token", resource_metadata="/,
  );
  const now = own.deps.clock();
  const token = await issuer.token(now, { email: "ann@example.com", email_verified: true });
  const { call } = await connect(own, token);
  expect(await call("workspace_list")).toContain("You are in no workspace.");
  own.advance(2 * 3_600_000);
  expect((await send(own, { token, body: messages.call })).status).toBe(401);
});

test("pages of other origins are refused, those of CORS_ORIGINS and of the service are not", async () => {
  const { token } = await makeUser(app());
  const origins: [string, number][] = [
    ["https://evil.example", 403],
    ["null", 403],
    ["http://localhost:5173", 200],
    [new URL(app().deps.baseUrl).origin, 200],
  ];
  for (const [Origin, status] of origins) {
    expect((await send(app(), { token, headers: { Origin } })).status, Origin).toBe(status);
  }
  const preflight = await send(app(), {
    method: "OPTIONS",
    headers: {
      Origin: "http://localhost:5173",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,mcp-protocol-version",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("POST");
  expect(preflight.headers.get("Access-Control-Allow-Headers")).toContain("mcp-protocol-version");
});

test("what is no message gets a clear 4xx", async () => {
  const { token } = await makeUser(app());
  const statusOf = async (sent: Sent) => (await send(app(), { token, ...sent })).status;
  expect(await statusOf({ body: "{" })).toBe(400);
  expect(await statusOf({ body: "" })).toBe(400);
  expect(await statusOf({ body: "null" })).toBe(400);
  expect(await statusOf({ body: `[${messages.list}]` })).toBe(400);
  expect(await statusOf({ headers: { "Content-Type": "text/plain" } })).toBe(415);
  expect(await statusOf({ body: `"${"a".repeat(1024 * 1024)}"` })).toBe(413);
  expect(await statusOf({ method: "GET" })).toBe(405);
  expect(await statusOf({ method: "DELETE" })).toBe(405);
  expect(await statusOf({ headers: { "MCP-Protocol-Version": "1999-01-01" } })).toBe(400);
  expect(
    await statusOf({
      body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    }),
  ).toBe(202);
});

test("subscriptions are refused, for no stream may stay open", async () => {
  const { token } = await makeUser(app());
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "tests", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { _meta: meta, notifications: { toolsListChanged: true } };
  const response = await send(app(), {
    token,
    body: request(1, "subscriptions/listen", params),
    headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen" },
  });
  const text = await response.text();
  expect(JSON.parse(text).error.message).toBe("Subscription limit reached");
});

test("each operation that a tool calls counts for the rate limit", async () => {
  const { token, rest } = await makeUser(app());
  const leftIn = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);
  const before = leftIn((await rest.get("/users/me")).headers);
  const listed = await send(app(), { token, body: messages.call });
  expect(leftIn(listed.headers)).toBe(before - 1);
  const { publicId } = await makeWorkspace(app(), { token, rest } as any);
  const start = leftIn((await rest.get("/users/me")).headers);
  const args = { workspace: publicId };
  const body = request(1, "tools/call", { name: "board_list", arguments: args });
  expect(leftIn((await send(app(), { token, body })).headers)).toBe(start - 2);
});

test("an argument that JavaScript gives a meaning is refused, wherever it is", async () => {
  const { token } = await makeUser(app());
  const call = (name: string, args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
  for (const body of [
    call("workspace_list", '{"__proto__":{"a":1}}'),
    call("card_move", '{"card":"1","expected":{"__proto__":{"title":"x"}}}'),
    call("batch_run", '{"calls":[{"tool":"card_archive","arguments":{"\\u005f_proto__":1}}]}'),
  ]) {
    const response = await send(app(), { token, body });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining("Unknown field __proto__."),
    ]);
  }
  const text = await send(app(), { token, body: call("workspace_list", '{"cursor":"__proto__"}') });
  expect(text.status).toBe(200);
});

const wrong = [[], "text", 1, { protocolVersion: 1 }, { cursor: 1 }, { name: 1 }, { _meta: 1 }];
const methods = ["initialize", "ping", "tools/list", "tools/call"];

test.for(methods)("%s with parameters of wrong types is refused as such", async (method) => {
  const { token } = await makeUser(app());
  for (const params of wrong) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });
    const response = await send(app(), { token, body });
    const text = await response.text();
    expect(text, `${method} ${JSON.stringify(params)}`).not.toMatch(/-32603|nternal error/);
    if (method === "initialize") {
      expect([response.status, JSON.parse(text)]).toMatchObject([
        200,
        { id: 7, error: { code: -32_602, message: expect.stringContaining("Invalid params") } },
      ]);
    }
  }
});

test.for(["*/*", "application/json;q=0.5, */*;q=0.1"])(
  "a client that accepts %s is answered",
  async (accept) => {
    const { token } = await makeUser(app());
    for (const body of [messages.initialize, messages.list, messages.call]) {
      const response = await send(app(), { token, body, headers: { Accept: accept } });
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining("result"),
      ]);
    }
  },
);
