import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { fakeDns } from "../../support/dns.ts";
import { makeUser } from "../../support/make.ts";
import { callback, connectApp, password, pkce, query } from "./app.ts";

const names = { "app.example": ["127.0.0.1"], "private.example": ["10.1.2.3"] };
const dns = fakeDns(names);
const app = useApp({
  outgoing: {
    resolve: dns.resolve,
    policy: { allowHttp: true, allowedSubnets: ["127.0.0.0/8"] },
    now: () => new Date(),
    version: "1.2.3",
  },
});

const requests: string[] = [];
let answer: (response: ServerResponse, path: string) => void = () => undefined;
const server = createServer((request, response) => {
  requests.push(request.url ?? "");
  answer(response, request.url ?? "");
});
let port = 0;
let count = 0;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  port = typeof address === "object" ? (address?.port ?? 0) : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests.length = 0;
});

/** A new address of a document. */
const newId = (host = "app.example") => `http://${host}:${port}/client-${++count}.json`;

const send = (response: ServerResponse, body: unknown, type = "application/json") =>
  response
    .setHeader("Content-Type", type)
    .end(typeof body === "string" ? body : JSON.stringify(body));

const documentOf = (clientId: string, more: object = {}) => ({
  client_id: clientId,
  client_name: "An agent",
  redirect_uris: [callback],
  ...more,
});

const requestOf = (clientId: string) =>
  query({
    client_id: clientId,
    code_challenge: pkce().challenge,
    code_challenge_method: "S256",
  });

test("an app with a document connects, and its host vouches for it", async () => {
  const user = await makeUser(app());
  const clientId = newId();
  answer = (response) => void send(response, documentOf(clientId, { logo_uri: "x" }));
  const { body } = await user.rest.post("/oauth/describe", { request: requestOf(clientId) });
  expect(body.app).toMatchObject({ name: "An agent", vouchedBy: `app.example:${port}` });
  await connectApp(app(), user, { clientId });
  expect(requests).toHaveLength(1);
  const { body: keys } = await user.rest.get("/auth/api-keys");
  expect(keys[0].name).toBe(`An agent (app.example:${port})`);
});

test("a document that changes counts when it is no longer fresh", async () => {
  const user = await makeUser(app());
  const clientId = newId();
  answer = (response) => void send(response, documentOf(clientId));
  const describe = () => user.rest.post("/oauth/describe", { request: requestOf(clientId) });
  expect((await describe()).status).toBe(200);
  const other = { redirect_uris: ["https://example.com/cb"] };
  answer = (response) => void send(response, documentOf(clientId, other));
  expect((await describe()).status).toBe(200);
  app().advance(10 * 60_000);
  expect((await describe()).status).toBe(400);
  expect(requests).toHaveLength(2);
});

const bad: Record<string, (response: ServerResponse, clientId: string) => unknown> = {
  "a redirect": (response) => response.writeHead(302, { Location: "/other" }).end(),
  "404": (response) => response.writeHead(404).end("{}"),
  HTML: (response, id) => send(response, documentOf(id), "text/html"),
  "no JSON": (response) => send(response, "{"),
  "another client_id": (response, id) => send(response, documentOf(`${id}x`)),
  "no client_id": (response, id) => send(response, documentOf(id, { client_id: undefined })),
  "a secret": (response, id) => send(response, documentOf(id, { client_secret: "s" })),
  "a secret method": (response, id) =>
    send(response, documentOf(id, { token_endpoint_auth_method: "client_secret_post" })),
  "a redirect address that no app may have": (response, id) =>
    send(response, documentOf(id, { redirect_uris: [callback, "javascript:alert(1)"] })),
  "no redirect address": (response, id) => send(response, documentOf(id, { redirect_uris: [] })),
  "a name that hides": (response, id) =>
    send(response, documentOf(id, { client_name: "a\u202eb" })),
  "too many bytes": (response, id) => send(response, documentOf(id, { x: "a".repeat(16_384) })),
  "no end": (response) => response.setHeader("Content-Type", "application/json").write("{"),
};

test.each(Object.entries(bad))("%s is no document, and is asked for once", async (_, reply) => {
  const user = await makeUser(app());
  const clientId = newId();
  answer = (response) => void reply(response, clientId);
  const describe = () => user.rest.post("/oauth/describe", { request: requestOf(clientId) });
  const replies = await Promise.all([describe(), describe()]);
  const decision = { request: requestOf(clientId), allow: true, password };
  replies.push(await user.rest.post("/oauth/decide", decision));
  for (const { status, body } of replies) {
    expect([status, body.issues[0].code]).toEqual([400, "app_unknown"]);
  }
  expect(requests).toHaveLength(1);
});

test("addresses that are no document's are not asked", async () => {
  const user = await makeUser(app());
  const wrong = [
    `http://127.0.0.1:${port}/client.json`,
    `http://[::1]:${port}/client.json`,
    `http://2130706433:${port}/client.json`,
    `http://localhost:${port}/client.json`,
    `http://app.example:${port}`,
    `http://app.example:${port}/`,
    `http://app.example:${port}/a/../client.json`,
    `http://app.example:${port}/client.json#f`,
    `http://user@app.example:${port}/client.json`,
    `http://APP.example:${port}/client.json`,
    `ftp://app.example/client.json`,
    `http://private.example:${port}/client.json`,
    `http://unknown.example:${port}/client.json`,
    `http://app.example:${port}/${"a".repeat(2_100)}`,
  ];
  for (const clientId of wrong) {
    const reply = await user.rest.post("/oauth/describe", { request: requestOf(clientId) });
    expect(reply.status, clientId).toBe(400);
  }
  expect(requests).toEqual([]);
});

test("nobody makes the service read a document without signing in", async () => {
  const clientId = newId();
  answer = (response) => void send(response, documentOf(clientId));
  const reply = await app().call({
    method: "POST",
    path: "/oauth/describe",
    body: { request: requestOf(clientId) },
  });
  expect(reply.status).toBe(401);
  const token = { grantType: "refresh_token", clientId, refreshToken: "x" };
  expect((await app().call({ method: "POST", path: "/oauth/token", body: token })).status).toBe(
    401,
  );
  await app().fetch(new Request(`http://127.0.0.1:3000/oauth/authorize?${requestOf(clientId)}`));
  expect(requests).toEqual([]);
});
