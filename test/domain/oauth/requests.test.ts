import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";
import { as } from "../../support/as.ts";
import {
  allow,
  callback,
  connectApp,
  password,
  pkce,
  query,
  register,
  resources,
  statusAt,
} from "./app.ts";

const app = useApp();

/** A valid request of a new app. */
async function valid(metadata: object = {}) {
  const { clientId } = await register(app(), metadata);
  const { challenge } = pkce();
  return { client_id: clientId, code_challenge: challenge, code_challenge_method: "S256" };
}

const describeRequest = (user: Awaited<ReturnType<typeof makeUser>>, request: string) =>
  user.rest.post("/oauth/describe", { request });

describe("a registration", () => {
  test("answers as RFC 7591 has it, and never a secret", async () => {
    const { status, body, headers } = await register(app(), {
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["authorization_code", "refresh_token"],
      scope: "boards:read offline_access",
      trusted: true,
      skip_consent: true,
      application_type: "native",
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[0-9a-z]{12}$/),
      client_name: "Claude",
      redirect_uris: [callback],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "boards:read boards:write",
    });
    expect(headers.get("Cache-Control")).toBe("no-store");
  });

  test("takes https, loopback and programs' addresses, and no others", async () => {
    const good = [
      "https://claude.ai/api/mcp/auth_callback",
      "https://example.com",
      "http://localhost:1234/cb",
      "http://[::1]:80/",
      "http://127.0.0.1",
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "com.example.app:/callback",
    ];
    for (const uri of good) {
      expect((await register(app(), { redirect_uris: [uri] })).status, uri).toBe(201);
    }
    const bad = [
      "javascript:alert(1)",
      "javascript://example.com/%0aalert(1)",
      "data:text/html,x",
      "vbscript:x",
      "file:///etc/passwd",
      "blob:https://example.com/x",
      "http://example.com/cb",
      "http://127.0.0.1.example.com/cb",
      "http://localhost@example.com/cb",
      "http://2130706433/cb",
      "https://user:secret@example.com/cb",
      "https://example.com/cb#fragment",
      "https://example.com\\@evil.example/cb",
      "https:example.com",
      "https://exa mple.com/",
      "https://example.com/\u202e",
      "app:callback",
      "/callback",
      "",
    ];
    for (const uri of bad) {
      const { status, body } = await register(app(), { redirect_uris: [uri] });
      expect([status, body.error], uri).toEqual([400, "invalid_redirect_uri"]);
    }
  });

  test("has bounds", async () => {
    const wrong = [
      { redirect_uris: [] },
      { redirect_uris: undefined },
      { redirect_uris: "https://example.com" },
      { redirect_uris: Array.from({ length: 21 }, () => callback) },
      { client_name: "a".repeat(101) },
      { client_name: "Cl\u202eaude" },
      { client_name: "Cl\naude" },
      { client_name: "Cl\0aude" },
      { client_name: 7 },
    ];
    for (const metadata of wrong) {
      const { status, body } = await register(app(), metadata);
      expect([status, body.error], JSON.stringify(metadata)).toEqual([
        400,
        "invalid_client_metadata",
      ]);
    }
    const large = await register(app(), { logo_uri: "a".repeat(16_400) });
    expect(large.status).toBe(413);
  });
});

describe("a request", () => {
  test("of an unknown app, or to an address that the app has not registered, goes nowhere", async () => {
    const user = await makeUser(app());
    const good = await valid({ redirect_uris: [callback, "https://example.com/cb"] });
    const wrong = [
      query({ ...good, client_id: "unknown" }),
      query({ ...good, client_id: "__proto__" }),
      query({ ...good, client_id: "<script>" }),
      query({ ...good, client_id: "a\0" }),
      query({ ...good, client_id: undefined }),
      `${query(good)}&client_id=other`,
      `${query(good)}&redirect_uri=https://evil.example/`,
      ...[
        undefined,
        `${callback}/more`,
        `${callback}?more=1`,
        `${callback}#f`,
        "http://localhost:33418/callback",
        "http://127.0.0.1:33418/callback@evil.example",
        "http://127.0.0.1:33418@evil.example/callback",
        "https://example.com:8443/cb",
        "https://example.com/cb/..",
        "https://EXAMPLE.com/cb",
        "https://user@example.com/cb",
        "https://evil.example/cb",
        "javascript:alert(1)",
      ].map((uri) => query({ ...good, redirect_uri: uri })),
    ];
    for (const request of wrong) {
      const described = await describeRequest(user, request);
      expect(described.status, request).toBe(400);
      const decision = { request, allow: true, password };
      expect((await user.rest.post("/oauth/decide", decision)).status, request).toBe(400);
    }
    for (const uri of ["http://127.0.0.1:5/callback", "http://127.0.0.1/callback"]) {
      const request = query({ ...good, redirect_uri: uri });
      expect((await describeRequest(user, request)).status).toBe(200);
    }
  });

  test("that is wrong otherwise returns to the app, with the state and the issuer", async () => {
    const user = await makeUser(app());
    const good = await valid();
    const wrong: [string, string][] = [
      [query({ ...good, response_type: "token" }), "unsupported_response_type"],
      [query({ ...good, response_type: undefined }), "unsupported_response_type"],
      [query({ ...good, code_challenge: undefined }), "invalid_request"],
      [query({ ...good, code_challenge_method: "plain" }), "invalid_request"],
      [query({ ...good, code_challenge_method: undefined }), "invalid_request"],
      [query({ ...good, code_challenge: "a".repeat(42) }), "invalid_request"],
      [query({ ...good, code_challenge: "a".repeat(129) }), "invalid_request"],
      [query({ ...good, resource: "https://other.example/mcp" }), "invalid_target"],
      [query({ ...good, resource: `${resources.mcp}#x` }), "invalid_target"],
      [`${query({ ...good, resource: resources.mcp })}&resource=x`, "invalid_target"],
      [`${query(good)}&scope=a&scope=b`, "invalid_request"],
    ];
    for (const [request, error] of wrong) {
      const { body } = await describeRequest(user, request);
      const returned = new URL(body.redirectTo);
      expect(returned.searchParams.get("error"), request).toBe(error);
      expect(returned.searchParams.get("state")).toBe("k9");
      expect(returned.searchParams.get("iss")).toBe(app().deps.baseUrl);
      expect(returned.origin + returned.pathname).toBe(callback);
      const decided = await user.rest.post("/oauth/decide", { request, allow: true, password });
      expect(decided.body.redirectTo).toBe(body.redirectTo);
    }
  });

  test("is described in words that a person needs", async () => {
    const user = await makeUser(app());
    const good = await valid({ client_name: "<script>alert(1)</script>" });
    const { body } = await describeRequest(user, query({ ...good, resource: resources.readOnly }));
    expect(body).toEqual({
      redirectTo: null,
      app: {
        publicId: good.client_id,
        clientId: good.client_id,
        name: "<script>alert(1)</script>",
        vouchedBy: null,
      },
      returnsTo: "this computer",
      resource: resources.readOnly,
      mayWrite: false,
      needsPassword: true,
      forbiddenIn: [],
    });
    const scopes: [string | undefined, boolean][] = [
      [undefined, true],
      ["boards:read boards:write", true],
      ["boards:read", false],
      ["offline_access", false],
    ];
    for (const [scope, mayWrite] of scopes) {
      const described = await describeRequest(user, query({ ...good, scope }));
      expect(described.body.mayWrite, scope).toBe(mayWrite);
    }
  });
});

describe("a decision", () => {
  test("is a person's: no cookie, key or grant decides", async () => {
    const user = await makeUser(app());
    const request = query(await valid());
    const decision = { request, allow: true, password };
    const cookie = { Cookie: `session=${user.token}; access_token=${user.token}` };
    const anonymous = await as(app()).rest.post("/oauth/decide", decision, { headers: cookie });
    expect(anonymous.status).toBe(401);
    const key = await user.rest.post("/auth/api-keys", { name: "key", password });
    const { accessToken } = await connectApp(app(), user, { resource: resources.rest });
    for (const token of [key.body.key, accessToken]) {
      for (const path of ["/oauth/decide", "/oauth/describe", "/auth/api-keys"]) {
        const body = path === "/oauth/describe" ? { request } : decision;
        const input = path === "/auth/api-keys" ? { name: "key", password } : body;
        expect((await as(app(), token).rest.post(path, input)).status, path).toBe(403);
      }
    }
  });

  test("to refuse sends access_denied, and connects nothing", async () => {
    const user = await makeUser(app());
    const request = query(await valid());
    const { body } = await user.rest.post("/oauth/decide", { request, allow: false });
    const { searchParams } = new URL(body.redirectTo);
    expect(Object.fromEntries(searchParams)).toEqual({
      error: "access_denied",
      error_description: expect.any(String),
      state: "k9",
      iss: app().deps.baseUrl,
    });
    expect((await user.rest.get("/auth/api-keys")).body).toEqual([]);
  });

  test("to allow everything takes the password; a workspace or a board does not", async () => {
    const admin = await makeUser(app());
    const workspace = await makeWorkspace(app(), admin);
    const board = await makeBoard(workspace);
    const request = query(await valid());
    const decide = (more: object) =>
      admin.rest.post("/oauth/decide", { request, allow: true, ...more });
    expect((await decide({})).status).toBe(400);
    expect((await decide({ password: "a wrong password" })).status).toBe(403);
    expect((await decide({ workspacePublicId: workspace.publicId })).status).toBe(200);
    expect((await decide({ boardPublicId: board.publicId })).status).toBe(200);
    const past = { password, expiresAt: "2020-01-01T00:00:00.000Z" };
    expect((await decide(past)).status).toBe(400);
    const stranger = await makeUser(app());
    const foreign = { request, allow: true, boardPublicId: board.publicId };
    expect((await stranger.rest.post("/oauth/decide", foreign)).status).toBe(403);
    const nowhere = { request, allow: true, boardPublicId: "no-such-board" };
    expect((await stranger.rest.post("/oauth/decide", nowhere)).status).toBe(404);
  });
});

describe("connected apps", () => {
  test("are among the keys of their person, who ends them", async () => {
    const user = await makeUser(app());
    const { accessToken, clientId } = await connectApp(app(), user);
    const { body: keys } = await user.rest.get("/auth/api-keys");
    expect(keys).toEqual([
      expect.objectContaining({
        name: "Claude, unverified",
        prefix: "",
        readOnly: false,
        app: { publicId: clientId, clientId, name: "Claude", vouchedBy: null },
      }),
    ]);
    await user.rest.delete(`/auth/api-keys/${keys[0].publicId}`);
    expect(await statusAt(app(), accessToken)).toBe(401);
  });

  test("end with the credentials of an account, and with the account", async () => {
    const user = await makeUser(app());
    const first = await connectApp(app(), user);
    const change = { currentPassword: password, newPassword: "another one for tests" };
    await user.rest.put("/auth/password", { ...change, revokeCredentials: true });
    expect(await statusAt(app(), first.accessToken)).toBe(401);
    const other = await makeUser(app());
    const second = await connectApp(app(), other);
    await other.rest.delete("/users/me", { password });
    expect(await statusAt(app(), second.accessToken)).toBe(401);
  });

  test("that were not fetched within a minute are gone", async () => {
    const user = await makeUser(app());
    await allow(app(), user);
    expect((await user.rest.get("/auth/api-keys")).body).toHaveLength(1);
    app().advance(60_001);
    expect((await user.rest.get("/auth/api-keys")).body).toEqual([]);
  });
});

describe("a workspace's apps", () => {
  test("are shown to admins, who forbid them and allow them again", async () => {
    const workspace = await makeWorkspace(app());
    const { admin, publicId } = workspace;
    const member = await join(app(), workspace, "member");
    const bounds = { workspacePublicId: publicId };
    const bound = await connectApp(app(), member, { bounds, resource: resources.rest });
    const { clientId } = bound;
    const free = await connectApp(app(), member, { clientId, resource: resources.rest });
    const path = `/workspaces/${publicId}/apps`;
    expect((await member.rest.get(path)).status).toBe(403);
    const { body } = await admin.rest.get(path);
    expect(body.items).toEqual([
      {
        publicId: clientId,
        clientId,
        name: "Claude",
        vouchedBy: null,
        isForbidden: false,
        members: 1,
        lastUsedAt: null,
      },
    ]);
    const elsewhere = await makeWorkspace(app(), member);
    const other = await connectApp(app(), member, {
      clientId,
      bounds: { workspacePublicId: elsewhere.publicId },
      resource: resources.rest,
    });
    const statuses = () =>
      Promise.all(
        [bound, free, other].map(async ({ accessToken }) =>
          statusAt(app(), accessToken, "/api/v1/users/me"),
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await admin.rest.put(`${path}/${clientId}/forbidden`)).status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 200]);
    const request = query(await valid());
    const again = query({ ...(await valid()), client_id: clientId });
    for (const more of [bounds, { password }]) {
      const decision = { request: again, allow: true, ...more };
      const { status, body: refused } = await member.rest.post("/oauth/decide", decision);
      expect([status, refused.issues[0].code]).toEqual([400, "app_forbidden"]);
    }
    const described = await member.rest.post("/oauth/describe", { request: again });
    expect(described.body.forbiddenIn).toEqual([publicId]);
    expect(
      (await member.rest.post("/oauth/decide", { request, allow: true, ...bounds })).status,
    ).toBe(200);
    expect((await admin.rest.delete(`${path}/${clientId}/forbidden`)).status).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await admin.rest.put(`${path}/unknown-app1/forbidden`)).status).toBe(404);
  });
});
