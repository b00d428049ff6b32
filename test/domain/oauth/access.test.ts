import { createPublicKey } from "node:crypto";
import { exportJWK, exportSPKI, SignJWT, type JWK } from "jose";
import { describe, expect, test } from "vitest";
import { createDeps } from "../../../src/app/deps.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { createGrantTokens } from "../../../src/platform/crypto/grant-tokens.ts";
import { appSecret, useApp } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../../support/make.ts";
import { withDeps } from "../auth/account.ts";
import { base, connectApp, resources, statusAt } from "./app.ts";

const app = useApp();

const get = (path: string, headers: Record<string, string> = {}) =>
  app().fetch(new Request(base + path, { headers }));
const json = async (path: string): Promise<any> => (await get(path)).json();

describe("the documents", () => {
  test("lead from a 401 of the tools to the endpoints, with one text of the issuer", async () => {
    for (const path of ["", "/mcp", "/mcp/readonly"]) {
      const metadata = await json(`/.well-known/oauth-protected-resource${path}`);
      expect(metadata).toMatchObject({
        resource: base + path,
        authorization_servers: [base],
        scopes_supported:
          path === "/mcp/readonly" ? ["boards:read"] : ["boards:read", "boards:write"],
      });
    }
    const response = await app().fetch(new Request(`${base}/mcp`, { method: "POST" }));
    expect(response.headers.get("WWW-Authenticate")).toBe(
      `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`,
    );
    const server = await json("/.well-known/oauth-authorization-server");
    expect(server).toMatchObject({
      issuer: base,
      authorization_endpoint: `${base}/oauth/authorize`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(server.scopes_supported).not.toContain("offline_access");
  });

  test("of a service with a path are served at both places", async () => {
    const address = "https://example.com/boards";
    const at = withDeps(app(), { baseUrl: address });
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-authorization-server/boards",
      "/.well-known/openid-configuration",
    ]) {
      const { body } = await at(new Request(base + path));
      expect(body.issuer).toBe(address);
    }
  });

  test("may be read, and tokens fetched, by pages of any origin; nothing is decided there", async () => {
    const origin = "https://inspector.example";
    const preflight = (path: string, method: string) =>
      app().fetch(
        new Request(base + path, {
          method: "OPTIONS",
          headers: {
            Origin: origin,
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "content-type",
          },
        }),
      );
    for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke"]) {
      const { headers } = await preflight(path, "POST");
      expect(headers.get("Access-Control-Allow-Origin"), path).toBe("*");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    }
    const metadata = await get("/.well-known/oauth-authorization-server", { Origin: origin });
    expect(metadata.headers.get("Access-Control-Allow-Origin")).toBe("*");
    for (const path of ["/api/v1/oauth/decide", "/api/v1/oauth/describe", "/api/v1/auth/login"]) {
      const { headers } = await preflight(path, "POST");
      expect(headers.get("Access-Control-Allow-Origin"), path).toBeNull();
    }
  });

  test("the page cannot be framed, and sets no cookie", async () => {
    const { status, headers } = await get("/oauth/authorize?client_id=%3Cscript%3E");
    expect(status).toBe(200);
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("Content-Security-Policy")).toContain("script-src 'self'");
    expect(headers.get("Set-Cookie")).toBeNull();
    const framed = await app().fetch(new Request(`${base}/oauth/token`, { method: "POST" }));
    expect(framed.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  });
});

describe("a token", () => {
  test("is for one address only", async () => {
    const user = await makeUser(app());
    const tokens = {
      mcp: (await connectApp(app(), user, { resource: resources.mcp })).accessToken,
      readOnly: (await connectApp(app(), user, { resource: resources.readOnly })).accessToken,
      rest: (await connectApp(app(), user, { resource: `${resources.rest}/` })).accessToken,
      none: (await connectApp(app(), user, { resource: null })).accessToken,
    };
    const rest = ["/api/v1/users/me", "/trpc/user.me", "/api/v1/users/me/events/stream"];
    for (const path of rest.slice(0, 2)) {
      expect(await statusAt(app(), tokens.rest, path), path).toBe(200);
      expect(await statusAt(app(), tokens.mcp, path), path).toBe(401);
      expect(await statusAt(app(), tokens.readOnly, path), path).toBe(401);
    }
    expect(await statusAt(app(), tokens.mcp)).toBe(200);
    expect(await statusAt(app(), tokens.none)).toBe(200);
    expect(await statusAt(app(), tokens.rest)).toBe(401);
    expect(await statusAt(app(), tokens.readOnly)).toBe(401);
    expect(await statusAt(app(), tokens.readOnly, "/mcp/readonly")).toBe(200);
    expect(await statusAt(app(), tokens.mcp, "/mcp/readonly")).toBe(401);
  });

  test("that we have not signed so is refused", async () => {
    const user = await makeUser(app());
    const { accessToken } = await connectApp(app(), user);
    const [head = "", body = "", signature = ""] = accessToken.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString());
    const [jwk] = app().deps.grantTokens.publicKeys as JWK[];
    const publicKey = createPublicKey({ key: jwk as never, format: "jwk" });
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const hs256 = (key: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: jwk?.kid ?? "" })
        .sign(Buffer.from(key));
    const foreign = await createGrantTokens(
      ["another secret, of 32 characters"],
      base,
      () => new Date(),
    );
    const elsewhere = await createGrantTokens(
      [appSecret],
      "https://other.example",
      () => new Date(),
    );
    const content = {
      grant: claims.grant,
      user: claims.sub,
      clientId: claims.client_id,
      resource: claims.aud,
      scope: claims.scope,
    };
    const forged = [
      `${encode({ alg: "none", typ: "at+jwt" })}.${body}.`,
      `${encode({ alg: "none", typ: "at+jwt" })}.${body}.${signature}`,
      await hs256(await exportSPKI(publicKey)),
      await hs256(JSON.stringify(await exportJWK(publicKey))),
      `${encode({ alg: "EdDSA", typ: "at+jwt", kid: "other" })}.${body}.${signature}`,
      `${encode({ alg: "EdDSA", typ: "at+jwt", jwk })}.${body}.${signature}`,
      `${head}.${encode({ ...claims, aud: base })}.${signature}`,
      await foreign.issue(content, app().deps.clock()),
      await elsewhere.issue(content, app().deps.clock()),
    ];
    for (const token of forged) expect(await statusAt(app(), token), token).toBe(401);
    expect(await statusAt(app(), accessToken)).toBe(200);
  });

  test("expires to the second, and survives one change of the secret", async () => {
    const user = await makeUser(app());
    const { accessToken } = await connectApp(app(), user, { resource: resources.rest });
    const { log, db, stopping, clock } = app().deps;
    const statusUnder = async (APP_SECRET: string, APP_SECRET_PREVIOUS?: string) => {
      const config = { ...app().deps.config, APP_SECRET, APP_SECRET_PREVIOUS };
      const { grantTokens } = await createDeps({ config, log, db, clock, stopping });
      const at = withDeps(app(), { grantTokens });
      const headers = { Authorization: `Bearer ${accessToken}` };
      return (await at(new Request(`${base}/api/v1/users/me`, { headers }))).status;
    };
    expect(await statusUnder("a new secret for tests, 32 chars", appSecret)).toBe(200);
    expect(await statusUnder("a new secret for tests, 32 chars", "b".repeat(32))).toBe(401);
    app().advance(3_599_000);
    expect(await statusAt(app(), accessToken, "/api/v1/users/me")).toBe(200);
    app().advance(1_000);
    expect(await statusAt(app(), accessToken, "/api/v1/users/me")).toBe(401);
    app().resetClock();
  });

  test("of a disabled account is 401 at the next call", async () => {
    const user = await makeUser(app());
    const { accessToken } = await connectApp(app(), user);
    expect(await statusAt(app(), accessToken)).toBe(200);
    await app().db.write(sql`UPDATE users SET "disabledAt" = now() WHERE email = ${user.email}`);
    expect(await statusAt(app(), accessToken)).toBe(401);
  });
});

describe("a grant", () => {
  test("stays within its bounds, and events name the app and the person", async () => {
    const workspace = await makeWorkspace(app());
    const [board, other] = [await makeBoard(workspace), await makeBoard(workspace)];
    const { admin } = workspace;
    const resource = resources.rest;
    const bounds = { boardPublicId: board.publicId };
    const bound = as(app(), (await connectApp(app(), admin, { bounds, resource })).accessToken);
    const reading = as(
      app(),
      (await connectApp(app(), admin, { bounds: { ...bounds, readOnly: true }, resource }))
        .accessToken,
    );
    const card = await makeCard(admin, board.lists[0] ?? "");
    expect((await reading.rest.get(`/cards/${card}`)).status).toBe(200);
    const refused = await reading.rest.put(`/cards/${card}`, { title: "No" });
    expect([refused.status, refused.body.issues[0].code]).toEqual([403, "api_key_read_only"]);
    expect((await bound.rest.put(`/cards/${card}`, { title: "Yes" })).status).toBe(200);
    expect((await bound.rest.get(`/boards/${other.publicId}`)).status).toBe(403);
    const path = `/workspaces/${workspace.publicId}`;
    const boards = await bound.rest.get(`${path}/boards`);
    expect(boards.body.items.map(({ publicId }: { publicId: string }) => publicId)).toEqual([
      board.publicId,
    ]);
    const { body } = await admin.rest.get(`${path}/audit?limit=1`);
    expect(body.items[0]).toMatchObject({
      actor: { type: "apiKey", name: "Admin via Claude, unverified" },
      credential: "apiKey",
    });
    const { body: activities } = await admin.rest.get(`/cards/${card}/activities`);
    expect(JSON.stringify(activities)).toContain("Admin via Claude, unverified");
  });

  test("shares no repeated calls with another grant of its person", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const bounds = { workspacePublicId: workspace.publicId };
    const resource = resources.rest;
    const headers = { "Idempotency-Key": "one key" };
    const make = async () => {
      const { accessToken } = await connectApp(app(), workspace.admin, { bounds, resource });
      const card = { title: "A card", listPublicId: board.lists[0] };
      const caller = as(app(), accessToken);
      return () => caller.rest.post("/cards", card, { headers });
    };
    const [one, other] = [await make(), await make()];
    const [first, again, second] = [await one(), await one(), await other()];
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(again.body.publicId).toBe(first.body.publicId);
    expect(second.body.publicId).not.toBe(first.body.publicId);
  });

  test("shares no cached answers with another grant of its person", async () => {
    const workspace = await makeWorkspace(app());
    const [shown, hidden] = [await makeBoard(workspace), await makeBoard(workspace)];
    const secret = "Zanzibar";
    await workspace.admin.rest.put(`/boards/${hidden.publicId}`, { name: secret });
    await makeCard(workspace.admin, hidden.lists[0] ?? "", secret);
    const resource = resources.rest;
    const connect = async (bounds: object) =>
      as(app(), (await connectApp(app(), workspace.admin, { bounds, resource })).accessToken);
    const [full, bound, reading] = [
      await connect({ workspacePublicId: workspace.publicId }),
      await connect({ boardPublicId: shown.publicId }),
      await connect({ boardPublicId: shown.publicId, readOnly: true }),
    ];
    const home = `/workspaces/${workspace.publicId}`;
    const paths = [
      "/workspaces",
      `${home}/boards`,
      `${home}/search?query=${secret}`,
      `${home}/events?limit=50`,
      `${home}/trash`,
      "/users/me/cards",
      `/boards/${hidden.publicId}`,
      `/boards/${hidden.publicId}/cards`,
      `/boards/${hidden.publicId}/snapshot`,
    ];
    let seen = 0;
    for (const path of paths) {
      const all = await full.rest.get(path);
      seen += JSON.stringify(all.body).includes(secret) ? 1 : 0;
      const tag = all.headers.get("etag");
      const headers = tag === null ? {} : { "If-None-Match": tag };
      // At the same moment, and with the tag of the other grant's answer.
      const replies = await Promise.all([
        full.rest.get(path),
        bound.rest.get(path),
        reading.rest.get(path),
        bound.rest.get(path, { headers }),
        full.rest.get(path),
      ]);
      const [again, ofBound, ofReading, tagged] = replies;
      expect(again.body, path).toEqual(all.body);
      for (const reply of [ofBound, ofReading]) {
        expect(JSON.stringify(reply.body), path).not.toContain(secret);
      }
      if (JSON.stringify(ofBound.body) !== JSON.stringify(all.body)) {
        expect(tagged.status, path).not.toBe(304);
      }
    }
    expect(seen).toBeGreaterThan(3);
  });

  test("ends with the membership of its person", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const member = await join(app(), workspace, "member");
    const bounds = { boardPublicId: board.publicId };
    const { accessToken } = await connectApp(app(), member, { bounds, resource: resources.rest });
    const caller = as(app(), accessToken);
    expect((await caller.rest.get(`/boards/${board.publicId}`)).status).toBe(200);
    const path = `/workspaces/${workspace.publicId}/members/${member.memberPublicId}`;
    await workspace.admin.rest.delete(path);
    expect((await caller.rest.get(`/boards/${board.publicId}`)).status).toBe(403);
  });
});
