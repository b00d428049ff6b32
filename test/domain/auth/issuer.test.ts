import { randomBytes } from "node:crypto";
import { SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { describe, expect, test } from "vitest";
import { connection, waiting } from "../../property/rows.ts";
import { as } from "../../support/as.ts";
import { makeBoard, makeUser, makeWorkspace } from "../../support/make.ts";
import { htmlPage, disconnect, json } from "../../support/stand-in.ts";
import { freshEmail, password, request, signIn, signUp, statusOf, withDeps } from "./account.ts";
import { queryOn } from "../../support/rows.ts";
import { deleteAccount } from "../../support/faults.ts";
import { startIssuerApp } from "../../support/issuer-app.ts";
import { notingReads } from "../../support/noting-reads.ts";

const { app, issuer } = await startIssuerApp();

const freshSubject = () => randomBytes(9).toString("hex");
type Claims = { [Claim in keyof JWTPayload]?: JWTPayload[Claim] | undefined };
const person = (claims: Claims = {}): JWTPayload =>
  // An undefined claim is not in the token.
  ({
    sub: freshSubject(),
    email: freshEmail(),
    email_verified: true,
    name: "Grace Hopper",
    ...claims,
  }) as JWTPayload;
const tokenFor = (claims: JWTPayload) => issuer.token(app.deps.clock(), claims);
const me = (token: string) => app.call({ method: "GET", path: "/users/me", token });

async function expectRefused(token: string, message: RegExp | string) {
  for (const path of ["/users/me", "/trpc/user.me?input={}"]) {
    const { status, body } = await app.call({ method: "GET", path, token });
    expect(status).toBe(401);
    const failure = path === "/users/me" ? body : body.error.data;
    expect(failure.code).toBe("UNAUTHORIZED");
    expect(failure.issues[0].message).toMatch(message);
  }
}

describe("a token of the trusted issuer", () => {
  test("creates an account at the first call and reuses it", async () => {
    const claims = person();
    const first = await me(await tokenFor(claims));
    expect(first).toMatchObject({
      status: 200,
      body: { email: claims["email"], name: "Grace Hopper" },
    });
    // The subject identifies the account: a missing or different address changes nothing.
    const { sub } = claims;
    for (const more of [{}, { email: freshEmail(), email_verified: true }]) {
      const again = await me(await tokenFor({ sub: sub ?? "", ...more }));
      expect(again.body).toEqual(first.body);
    }
  });

  test("must be of a sign-in of the last 15 minutes where others show their password", async () => {
    const now = Math.floor(app.deps.clock().getTime() / 1_000);
    const { sub } = person();
    const keyWith = async (claims: JWTPayload) => {
      const token = await tokenFor(person({ sub, ...claims }));
      const body = { name: "Program" };
      return app.call({ method: "POST", path: "/auth/api-keys", token, body });
    };
    expect((await keyWith({})).status).toBe(200);
    for (const claims of [{ iat: now - 960 }, { auth_time: now - 960 }]) {
      const { status, body } = await keyWith(claims);
      expect([status, body.issues[0].code]).toEqual([403, "sign_in_again"]);
    }
  });

  test("creates one account for concurrent first calls, over REST and tRPC", async () => {
    // Repeated, because a race does not occur each time.
    for (let round = 0; round < 8; round++) {
      const claims = person();
      const { rest, trpc } = as(app, await tokenFor(claims));
      const calls = await Promise.all([
        rest.get("/users/me"),
        rest.post("/workspaces", { name: "First" }),
        rest.get("/workspaces"),
        trpc.user.me.query().then(() => ({ status: 200 })),
        trpc.workspace.create.mutate({ name: "Second" }).then(() => ({ status: 200 })),
        rest.get("/users/me"),
      ]);
      expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      const where = { email: String(claims["email"]) };
      expect(await app.db.reader.user.count({ where })).toBe(1);
    }
  });

  test("creates an account when the one with its address is being deleted", async () => {
    const email = freshEmail();
    await signUp(app, email);
    const deletion = await connection(app);
    await deletion.query("BEGIN");
    await deleteAccount(queryOn(deletion), email);
    const token = await tokenFor(person({ email }));
    const first = me(token);
    await waiting(app);
    await deletion.query("COMMIT");
    expect(await first).toMatchObject({ status: 200, body: { email } });
    expect((await me(token)).status).toBe(200);
  });

  test("gets 400 and 404 correctly at its first call", async () => {
    const wrong = await app.call({
      method: "POST",
      path: "/workspaces",
      token: await tokenFor(person()),
      body: { name: "" },
    });
    expect(wrong.status).toBe(400);
    const board = await makeBoard(await makeWorkspace(app));
    const stranger = as(app, await tokenFor(person()));
    expect((await stranger.rest.get(`/boards/${board.publicId}`)).status).toBe(403);
    const other = as(app, await tokenFor(person()));
    expect((await other.rest.get(`/boards/unknown-board`)).status).toBe(404);
  });

  test("works with an Idempotency-Key at its first call", async () => {
    const { rest } = as(app, await tokenFor(person()));
    const headers = { "Idempotency-Key": freshSubject() };
    const made = await rest.post("/workspaces", { name: "Once" }, { headers });
    const again = await rest.post("/workspaces", { name: "Once" }, { headers });
    expect(made.status).toBe(200);
    expect(again.body).toEqual(made.body);
    expect((await rest.get("/workspaces")).body).toHaveLength(1);
  });

  test("needs no more statements than a session", async () => {
    const issued = await tokenFor(person());
    const { token: session } = await makeUser(app);
    const counted = async (token: string) => {
      let statements = 0;
      const call = withDeps(app, { db: notingReads(app.db, () => statements++) });
      expect((await call(request("GET", "/users/me/cards", token))).status).toBe(200);
      return statements;
    };
    await me(issued);
    const ofSession = await counted(session);
    expect(ofSession).toBeGreaterThan(0);
    expect(await counted(issued)).toBe(ofSession);
  });

  test("appears as credential `issuer` in the audit log", async () => {
    const { rest } = as(app, await tokenFor(person()));
    const { body } = await rest.post("/workspaces", { name: "Audited" });
    const { body: audit } = await rest.get(`/workspaces/${body.publicId}/audit`);
    expect(audit.items[0]).toMatchObject({ type: "workspace.created", credential: "issuer" });
  });

  test("can create API keys, and has no session to revoke", async () => {
    const { rest } = as(app, await tokenFor(person()));
    expect(
      (await rest.post("/auth/api-keys", { password: "a password for tests", name: "mine" }))
        .status,
    ).toBe(200);
    expect((await rest.post("/auth/logout")).status).toBe(200);
    expect((await rest.get("/users/me")).status).toBe(200);
  });

  test("creates a new account after the old one was deleted", async () => {
    const claims = person();
    const { rest } = as(app, await tokenFor(claims));
    const { body: before } = await rest.get("/users/me");
    expect((await rest.delete("/users/me")).status).toBe(200);
    const { body: after } = await rest.get("/users/me");
    expect(after.publicId).not.toBe(before.publicId);
  });

  test("accepts any name", async () => {
    const { body } = await me(await tokenFor(person({ name: `\0 ${"x".repeat(300)}` })));
    expect(body.name).toBe("x".repeat(255));
  });

  test("names an account without its address, of which other members may see no part", async () => {
    for (const more of [{ name: undefined }, { name: 42 }, { name: freshEmail() }]) {
      const email = freshEmail();
      const ofEmail = { ...person({ ...more, preferred_username: email }), email };
      expect((await me(await tokenFor(ofEmail))).body).toMatchObject({ email, name: "User" });
      const ofName = person({ ...more, preferred_username: "grace" });
      expect((await me(await tokenFor(ofName))).body.name).toBe("grace");
    }
  });
});

describe("a token is refused with 401", () => {
  test("with another audience, an invalid time or a missing claim", async () => {
    const seconds = Math.floor(app.deps.clock().getTime() / 1000);
    await expectRefused(await tokenFor(person({ aud: "others" })), /not for this service.*aud/);
    await expectRefused(await tokenFor(person({ exp: seconds - 60 })), /has expired/);
    await expectRefused(await tokenFor(person({ nbf: seconds + 600 })), /not yet.*nbf/);
    await expectRefused(await tokenFor(person({ exp: undefined })), /exp/);
    await expectRefused(await tokenFor(person({ sub: undefined })), /sub/);
    for (const sub of ["", "nul\0", "x".repeat(256)]) {
      await expectRefused(
        await tokenFor(person({ sub })),
        "The token has no usable subject (`sub`).",
      );
    }
  });

  test("without the issuer's signature", async () => {
    const claims = { iss: issuer.url, aud: issuer.audience, exp: 4102444800, ...person() };
    const { kid, jwk } = issuer.signing();
    const forged = "The token was not signed by the issuer that it names.";
    const { privateKey } = await crypto.subtle.generateKey(
      {
        name: "RSASSA-PKCS1-v1_5",
        modulusLength: 2048,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: "SHA-256",
      },
      true,
      ["sign", "verify"],
    );
    await expectRefused(
      await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey),
      forged,
    );
    // The public key is public: as a secret of a symmetric algorithm it proves nothing.
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    await expectRefused(
      await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(secret),
      forged,
    );
    await expectRefused(new UnsecuredJWT(claims).encode(), forged);
  });

  test("of another issuer", async () => {
    await expectRefused(
      await tokenFor(person({ iss: `${issuer.url}/` })),
      /not issued by this service/,
    );
    await expectRefused(
      await tokenFor(person({ iss: "https://evil.example" })),
      /not issued by this service/,
    );
  });

  test("of a new user without a verified address", async () => {
    for (const claims of [
      { email: undefined },
      { email_verified: false },
      { email_verified: undefined },
      { email: "no address" },
    ]) {
      await expectRefused(await tokenFor(person(claims)), /no verified address/);
    }
  });
});

describe("an account that has the address already", () => {
  test("is claimed by the issuer's user, and its other credentials are revoked", async () => {
    const email = freshEmail();
    const squatter = await signUp(app, email);
    const { rest } = as(app, squatter.accessToken);
    const { body: workspace } = await rest.post("/workspaces", { name: "Remaining" });
    const { body: key } = await rest.post("/auth/api-keys", {
      password,
      name: "left behind",
    });
    const owner = as(app, await tokenFor(person({ email })));
    expect((await owner.rest.get("/users/me")).body.publicId).toBe(squatter.user.publicId);

    expect(await statusOf(app, squatter.accessToken)).toBe(401);
    expect(await statusOf(app, key.key)).toBe(401);
    const refreshed = await app.call({
      method: "POST",
      path: "/auth/refresh",
      body: { refreshToken: squatter.refreshToken },
    });
    expect(refreshed.status).toBe(401);
    const login = { method: "POST", path: "/auth/login", body: { email, password } };
    expect((await app.call(login)).status).toBe(401);
    expect((await owner.rest.get(`/workspaces/${workspace.publicId}`)).status).toBe(200);
  });

  test("is not claimed by an unverified address", async () => {
    const { user, accessToken } = await signUp(app);
    await expectRefused(
      await tokenFor(person({ email: user.email, email_verified: false })),
      /no verified address/,
    );
    expect(await statusOf(app, accessToken)).toBe(200);
    await signIn(app, user.email);
  });

  test("stays with its subject when the issuer reassigns the address", async () => {
    const email = freshEmail();
    const first = person({ email });
    const { body } = await me(await tokenFor(first));
    await expectRefused(await tokenFor(person({ email })), /another subject/);
    expect((await me(await tokenFor(first))).body).toEqual(body);
  });
});

describe("SIGN_UP", () => {
  test("decides about new accounts only; existing accounts can always sign in", async () => {
    for (const SIGN_UP of ["closed", "invited"] as const) {
      const call = withDeps(app, { config: { ...app.deps.config, SIGN_UP } });
      const responseTo = async (email: string) =>
        call(request("GET", "/users/me", await tokenFor(person({ email }))));
      const refused = await responseTo(freshEmail());
      expect(refused.status).toBe(401);
      expect(refused.body.issues[0].message).toMatch(/^Sign-up is/);
      expect((await responseTo((await signUp(app)).user.email)).status).toBe(200);

      const workspace = await makeWorkspace(app);
      const invited = freshEmail();
      await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/members/invite`, {
        email: invited,
      });
      expect((await responseTo(invited)).status).toBe(SIGN_UP === "invited" ? 200 : 401);
    }
  });
});

test("OIDC_SIGN_UP decides about accounts of the issuer, SIGN_UP about passwords", async () => {
  const settings = { SIGN_UP: "closed", OIDC_SIGN_UP: "open" } as const;
  const call = withDeps(app, { config: { ...app.deps.config, ...settings } });
  const token = await tokenFor(person());
  expect((await call(request("GET", "/users/me", token))).status).toBe(200);
  const body = { email: freshEmail(), password, name: "Ada" };
  const registered = await call(request("POST", "/auth/register", undefined, body));
  expect(registered.status).toBe(403);
});

describe("the issuer's keys", () => {
  const minute = 60_000;

  test("are fetched once, and again for an unknown key id", async () => {
    app.advance(11 * minute);
    await me(await tokenFor(person()));
    const asked = issuer.asked();
    for (let call = 0; call < 5; call++) await me(await tokenFor(person()));
    expect(issuer.asked()).toBe(asked);
    const old = await tokenFor(person());
    await issuer.rotate("ES256");
    app.advance(minute);
    expect((await me(await tokenFor(person()))).status).toBe(200);
    expect(issuer.asked()).toBe(asked + 1);
    await expectRefused(old, /not signed/);
  });

  test("are not fetched repeatedly for tokens with unknown key ids", async () => {
    app.advance(minute);
    const asked = issuer.asked();
    for (let call = 0; call < 10; call++) {
      const token = await issuer.token(app.deps.clock(), person(), { kid: `unknown-${call}` });
      expect((await me(token)).status).toBe(401);
    }
    expect(issuer.asked()).toBe(asked + 1);
  });

  test("of every asymmetric algorithm are accepted", async () => {
    for (const alg of ["PS256", "ES384", "EdDSA", "RS512"]) {
      await issuer.rotate(alg);
      app.advance(minute);
      expect({ alg, status: (await me(await tokenFor(person()))).status }).toEqual({
        alg,
        status: 200,
      });
    }
  });

  test("stay valid for an hour while the issuer is down; then 503 for its tokens only", async () => {
    const claims = person();
    await me(await tokenFor(claims));
    issuer.failAlways(disconnect);
    app.advance(50 * minute);
    expect((await me(await tokenFor(claims))).status).toBe(200);
    app.advance(20 * minute);
    const away = await me(await tokenFor(claims));
    expect(away).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
    expect(away.headers.get("retry-after")).toBe("30");
    expect(away.body.issues[0].message).toMatch(/^The issuer of the tokens/);
    const { accessToken } = await signUp(app);
    expect(await statusOf(app, accessToken)).toBe(200);
    issuer.failAlways(undefined);
    app.advance(minute);
    expect((await me(await tokenFor(claims))).status).toBe(200);
  });

  test("are not accepted from an issuer with an invalid or foreign response", async () => {
    const claims = person();
    for (const fail of [
      () => issuer.failNext(htmlPage(200)),
      () => issuer.failNext(htmlPage(500)),
      () => issuer.failNext(json({ issuer: issuer.url })),
      () => issuer.failNext(json({ issuer: issuer.url, jwks_uri: "file:///etc/passwd" })),
      () => (issuer.calledItself = "https://another.example"),
    ]) {
      app.advance(80 * minute);
      fail();
      expect((await me(await tokenFor(claims))).status).toBe(503);
    }
    issuer.calledItself = undefined;
    app.advance(minute);
    expect((await me(await tokenFor(claims))).status).toBe(200);
  });
});
