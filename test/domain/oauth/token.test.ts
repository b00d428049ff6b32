import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import {
  allow,
  callback,
  connectApp,
  exchange,
  form,
  pkce,
  refresh,
  register,
  resources,
  statusAt,
} from "./app.ts";

const app = useApp();
const invalidGrant = expect.objectContaining({ error: "invalid_grant" });
const everything = ["boards:read", "boards:write"].join(" ");

describe("a code", () => {
  test("gives tokens for the resource, in the form of OAuth", async () => {
    const user = await makeUser(app());
    const code = await allow(app(), user);
    const { searchParams } = new URL(code.redirectTo);
    expect([...searchParams.keys()]).toEqual(["code", "state", "iss"]);
    expect(searchParams.get("iss")).toBe(app().deps.baseUrl);
    const { status, body, headers } = await exchange(app(), code);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^ey/),
      token_type: "Bearer",
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^rt_[\w-]{43}$/),
      scope: everything,
    });
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(await statusAt(app(), body.access_token)).toBe(200);
  });

  test("used again ends all that it gave", async () => {
    const user = await makeUser(app());
    const code = await allow(app(), user);
    const { body } = await exchange(app(), code);
    expect((await exchange(app(), code)).body).toEqual(invalidGrant);
    expect(await statusAt(app(), body.access_token)).toBe(401);
    const refreshToken = body.refresh_token;
    expect((await refresh(app(), { ...code, refreshToken })).body).toEqual(invalidGrant);
  });

  test("is valid for a minute", async () => {
    const user = await makeUser(app());
    const [late, early] = [await allow(app(), user), await allow(app(), user)];
    app().advance(59_999);
    expect((await exchange(app(), early)).status).toBe(200);
    app().advance(1);
    expect((await exchange(app(), late)).body).toEqual(invalidGrant);
  });

  test("needs its verifier, its address, its app and its resource, and is not used up without", async () => {
    const user = await makeUser(app());
    const code = await allow(app(), user);
    const other = await register(app());
    const wrong: [object, string][] = [
      [{ code_verifier: pkce().verifier }, "invalid_grant"],
      [{ code_verifier: undefined }, "invalid_grant"],
      [{ code_verifier: code.verifier.slice(1) }, "invalid_grant"],
      [{ code_verifier: "a".repeat(129) }, "invalid_grant"],
      [{ redirect_uri: `${callback}/` }, "invalid_grant"],
      [{ redirect_uri: undefined }, "invalid_grant"],
      [{ client_id: other.clientId }, "invalid_grant"],
      [{ client_id: "unknown-app" }, "invalid_client"],
      [{ client_id: "__proto__" }, "invalid_client"],
      [{ client_id: undefined }, "invalid_request"],
      [{ code: "another-code" }, "invalid_grant"],
      [{ code: undefined }, "invalid_request"],
      [{ resource: resources.rest }, "invalid_target"],
      [{ resource: `${resources.mcp}/` }, "invalid_target"],
      [{ grant_type: "password" }, "unsupported_grant_type"],
      [{ grant_type: undefined }, "invalid_request"],
    ];
    for (const [more, error] of wrong) {
      const { body } = await exchange(app(), code, more as Record<string, string>);
      expect(body, JSON.stringify(more)).toEqual({ error, error_description: expect.any(String) });
    }
    expect((await exchange(app(), code, { resource: resources.mcp })).status).toBe(200);
  });
});

describe("a refresh token", () => {
  test("gives the next one, and the old access token stays valid", async () => {
    const connected = await connectApp(app(), await makeUser(app()));
    const { status, body } = await refresh(app(), connected);
    expect(status).toBe(200);
    expect(body.refresh_token).not.toBe(connected.refreshToken);
    for (const token of [connected.accessToken, body.access_token]) {
      expect(await statusAt(app(), token)).toBe(200);
    }
  });

  test("used again within two minutes gives the live end of its chain", async () => {
    const connected = await connectApp(app(), await makeUser(app()));
    const second = (await refresh(app(), connected)).body.refresh_token;
    const third = (await refresh(app(), { ...connected, refreshToken: second })).body.refresh_token;
    app().advance(120_000);
    const retry = await refresh(app(), connected);
    expect(retry.body.refresh_token).toBe(third);
    expect((await refresh(app(), { ...connected, refreshToken: third })).status).toBe(200);
  });

  test("used again later ends the grant, and that survives the error", async () => {
    const connected = await connectApp(app(), await makeUser(app()));
    const { body } = await refresh(app(), connected);
    app().advance(120_001);
    const again = await refresh(app(), connected);
    expect([again.status, again.body]).toEqual([400, invalidGrant]);
    expect(await statusAt(app(), body.access_token)).toBe(401);
    const next = { ...connected, refreshToken: body.refresh_token };
    expect((await refresh(app(), next)).body).toEqual(invalidGrant);
  });

  test("of another app is refused, and changes nothing", async () => {
    const user = await makeUser(app());
    const [one, other] = [await connectApp(app(), user), await connectApp(app(), user)];
    const stolen = { clientId: other.clientId, refreshToken: one.refreshToken };
    expect((await refresh(app(), stolen)).body).toEqual(invalidGrant);
    expect((await refresh(app(), one)).status).toBe(200);
  });

  test("gives no more than was granted", async () => {
    const user = await makeUser(app());
    const bounds = { readOnly: true, password: "a password for tests" };
    const connected = await connectApp(app(), user, { bounds });
    expect(connected.scope).toBe("boards:read");
    const wider = await refresh(app(), connected, { scope: everything });
    expect([wider.status, wider.body.error]).toEqual([400, "invalid_scope"]);
    const other = await refresh(app(), connected, { resource: resources.rest });
    expect(other.body.error).toBe("invalid_target");
    const same = await refresh(app(), connected, { scope: "boards:read offline_access" });
    expect(same.body.scope).toBe("boards:read");
  });

  test("is valid for 30 days, and no longer than the person wants", async () => {
    const user = await makeUser(app());
    const expiresAt = new Date(app().deps.clock().getTime() + 40 * 86_400_000).toISOString();
    const bounds = { expiresAt, password: "a password for tests" };
    const [connected, idle] = [
      await connectApp(app(), user, { bounds }),
      await connectApp(app(), user),
    ];
    app().advance(29 * 86_400_000);
    const next = await refresh(app(), connected);
    expect(next.status).toBe(200);
    app().advance(2 * 86_400_000);
    expect((await refresh(app(), idle)).body).toEqual(invalidGrant);
    const later = { ...connected, refreshToken: next.body.refresh_token };
    const last = await refresh(app(), later);
    expect(last.status).toBe(200);
    app().advance(9 * 86_400_000);
    const ended = { ...connected, refreshToken: last.body.refresh_token };
    expect((await refresh(app(), ended)).body).toEqual(invalidGrant);
    app().resetClock();
  });
});

test("forms that are wrong get errors of OAuth", async () => {
  const connected = await connectApp(app(), await makeUser(app()));
  const fields = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: connected.clientId,
    refresh_token: connected.refreshToken,
  });
  const twice = new URLSearchParams(fields);
  twice.append("client_id", connected.clientId);
  const replies = [
    await form(app(), "token", twice),
    await form(app(), "token", { client_id: "a\0b", grant_type: "refresh_token" }),
    await form(app(), "token", "%ff%fe=%c3%28&grant_type=%ff"),
    await form(app(), "token", ""),
    await form(app(), "token", JSON.stringify({}), { "Content-Type": "application/json" }),
    await form(app(), "token", `client_id=${"a".repeat(1_000_000)}`),
    await form(app(), "revoke", {}),
  ];
  expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400, 415, 413, 400]);
  for (const { body } of replies) expect(body.error).toBe("invalid_request");
  const get = await app().fetch(new Request("http://127.0.0.1:3000/oauth/token"));
  expect([get.status, get.headers.get("Allow")]).toEqual([405, "POST"]);
  expect((await refresh(app(), connected)).status).toBe(200);
});

describe("revocation", () => {
  test("by either token ends the grant at once, and an unknown token is no error", async () => {
    const user = await makeUser(app());
    for (const which of ["accessToken", "refreshToken"] as const) {
      const connected = await connectApp(app(), user);
      const fields = { client_id: connected.clientId, token: connected[which] };
      const reply = await form(app(), "revoke", fields);
      expect([reply.status, reply.body]).toEqual([200, {}]);
      expect(await statusAt(app(), connected.accessToken)).toBe(401);
      expect((await refresh(app(), connected)).body).toEqual(invalidGrant);
      expect((await form(app(), "revoke", fields)).status).toBe(200);
    }
    const unknown = { client_id: "unknown", token: "unknown" };
    expect((await form(app(), "revoke", unknown)).status).toBe(200);
  });

  test("by another app changes nothing", async () => {
    const user = await makeUser(app());
    const [one, other] = [await connectApp(app(), user), await connectApp(app(), user)];
    for (const token of [one.accessToken, one.refreshToken]) {
      const reply = await form(app(), "revoke", { client_id: other.clientId, token });
      expect(reply.status).toBe(200);
    }
    expect(await statusAt(app(), one.accessToken)).toBe(200);
  });
});
