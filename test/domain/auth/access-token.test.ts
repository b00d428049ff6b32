import { createHmac, generateKeyPairSync, hkdfSync } from "node:crypto";
import { exportJWK, SignJWT, UnsecuredJWT, type JWTPayload } from "jose";
import { describe, expect, test } from "vitest";
import { createDeps } from "../../../src/app/deps.ts";
import { useApp } from "../../support/app.ts";
import { password, request, signIn, signUp, withDeps } from "./account.ts";

const app = useApp();
const here = "workspace-board-service";
const keyOf = (secret: string) =>
  new Uint8Array(hkdfSync("sha256", secret, "", "access tokens", 32));
const me = (header: string) =>
  app().call({ method: "GET", path: "/users/me", headers: { Authorization: header } });
const foreign = "The credential is malformed or was not issued by this service.";
const expired = "The access token has expired.";

async function expectRefused(token: string, message: string) {
  for (const path of ["/users/me", "/trpc/user.me?input={}"]) {
    const { status, body } = await app().call({ method: "GET", path, token });
    expect(status).toBe(401);
    expect(path === "/users/me" ? body : body.error.data).toMatchObject({
      code: "UNAUTHORIZED",
      message: "Authorization not provided",
      issues: [{ message }],
    });
  }
}

type Forgery = {
  key?: Uint8Array;
  typ?: string;
  alg?: string;
  claims?: JWTPayload;
  without?: string[];
};

/** A token of a real session with forged parts. */
async function forge({ key, typ = "at+jwt", alg = "HS256", claims = {}, without = [] }: Forgery) {
  const { user } = await signUp(app());
  const session = await app().db.reader.session.findFirst({
    where: { user: { publicId: user.publicId } },
  });
  const now = Math.floor(app().deps.clock().getTime() / 1000);
  const all: JWTPayload = {
    sid: session?.publicId,
    sub: user.publicId,
    iss: here,
    aud: here,
    iat: now,
    exp: now + 900,
    ...claims,
  };
  for (const claim of without) delete all[claim];
  const header = typ === "" ? { alg } : { alg, typ };
  return new SignJWT(all)
    .setProtectedHeader(header)
    .sign(key ?? keyOf(app().deps.config.APP_SECRET));
}

describe("an access token", () => {
  test("that is made as the service makes it is valid", async () => {
    expect((await me(`Bearer ${await forge({})}`)).status).toBe(200);
  });

  test("is HS256, lives for 15 minutes, and names session and user only", async () => {
    const { accessToken, user } = await signUp(app());
    const [header, payload] = accessToken
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(header).toEqual({ alg: "HS256", typ: "at+jwt" });
    expect(Object.keys(payload).sort()).toEqual(["aud", "exp", "iat", "iss", "sid", "sub"]);
    expect(payload).toMatchObject({ iss: here, aud: here, sub: user.publicId });
    expect(payload.exp - payload.iat).toBe(900);
  });

  test("is valid for 15 minutes and then rejected as expired", async () => {
    const { accessToken } = await signUp(app());
    app().advance(899_000);
    expect((await me(`Bearer ${accessToken}`)).status).toBe(200);
    app().advance(1_000);
    await expectRefused(accessToken, expired);
  });

  test("is rejected when it has expired, is not valid yet, or never expires", async () => {
    const now = Math.floor(app().deps.clock().getTime() / 1000);
    await expectRefused(await forge({ claims: { iat: now - 1000, exp: now - 1 } }), expired);
    await expectRefused(await forge({ claims: { nbf: now + 60 } }), foreign);
    await expectRefused(await forge({ without: ["exp"] }), foreign);
  });

  test.each<[string, Forgery]>([
    ["for another audience", { claims: { aud: "another-service" } }],
    ["without an audience", { without: ["aud"] }],
    ["of another issuer", { claims: { iss: "https://evil.example" } }],
    ["without an issuer", { without: ["iss"] }],
    ["of another type", { typ: "JWT" }],
    ["without a type", { typ: "" }],
    ["under HS512", { alg: "HS512", key: new Uint8Array(64).fill(7) }],
    ["under the right key, but HS512", { alg: "HS512" }],
    ["without a session", { without: ["sid"] }],
    ["whose session is no text", { claims: { sid: 1 } }],
    ["without a user", { without: ["sub"] }],
    ["signed with another key", { key: keyOf("another secret of at least 32 characters") }],
    [
      "signed with the secret itself",
      { key: new TextEncoder().encode("a secret for tests, 32 characters") },
    ],
  ])("%s is refused", async (_, forgery) => {
    await expectRefused(await forge(forgery), foreign);
  });

  test("without a signature (an unsecured JWT) is refused", async () => {
    const now = Math.floor(app().deps.clock().getTime() / 1000);
    const { accessToken } = await signUp(app());
    const [, payload = ""] = accessToken.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    await expectRefused(new UnsecuredJWT({ ...claims, exp: now + 900 }).encode(), foreign);
    for (const alg of ["none", "None", "NONE", "nOnE", "", "HS256"]) {
      const header = Buffer.from(JSON.stringify({ alg, typ: "at+jwt" })).toString("base64url");
      await expectRefused(`${header}.${payload}.`, foreign);
    }
  });

  test("with one character changed anywhere is refused", async () => {
    const { accessToken } = await signUp(app());
    const { tokens } = app().deps;
    for (let at = 0; at < accessToken.length - 1; at++) {
      const by = accessToken[at] === "A" ? "B" : "A";
      const altered = accessToken.slice(0, at) + by + accessToken.slice(at + 1);
      expect(await tokens.read(altered)).toHaveProperty("fault");
    }
    expect(await tokens.read(accessToken)).toHaveProperty("session");
  });

  test("with the payload of another user under the old signature is refused", async () => {
    const [one, other] = [await signUp(app()), await signUp(app())];
    const [header, , signature] = one.accessToken.split(".");
    await expectRefused([header, other.accessToken.split(".")[1], signature].join("."), foreign);
  });

  test("under RS256, or HS256 keyed with a public key, is refused", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { accessToken } = await signUp(app());
    const [, payload = ""] = accessToken.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const jwk = await exportJWK(publicKey);
    for (const header of [
      {},
      { jwk },
      { kid: "../../dev/null" },
      { jku: "https://evil.example/keys" },
    ]) {
      const protectedHeader = { alg: "RS256", typ: "at+jwt", ...header };
      await expectRefused(
        await new SignJWT(claims).setProtectedHeader(protectedHeader).sign(privateKey),
        foreign,
      );
    }
    const pem = publicKey.export({ type: "spki", format: "pem" });
    const signed = `${Buffer.from('{"alg":"HS256","typ":"at+jwt"}').toString("base64url")}.${payload}`;
    const signature = createHmac("sha256", pem).update(signed).digest("base64url");
    await expectRefused(`${signed}.${signature}`, foreign);
  });

  test.each([
    "x",
    ".",
    "..",
    "a.b.c",
    "ey.ey.ey",
    `${"A".repeat(4_000)}.b.c`,
    "null",
    "rt_abc",
    "{}",
    "é",
  ])("that is malformed (%s) is rejected", async (token) => {
    const encoded = Buffer.from(token).toString("latin1");
    const { status, body } = await me(`Bearer ${encoded}`);
    expect(status).toBe(401);
    expect(body.issues).toEqual([{ message: foreign, code: "credential_invalid" }]);
  });

  test("is read from a Bearer header, in any case", async () => {
    const { accessToken } = await signUp(app());
    const form = "The Authorization header must read: Bearer, a space, and the credential.";
    for (const header of [
      accessToken,
      `Basic ${accessToken}`,
      "Bearer",
      `Bearer ${accessToken} more`,
    ]) {
      const { status, body } = await me(header);
      expect(status).toBe(401);
      expect(body.issues).toEqual([{ message: form, code: "credential_invalid" }]);
    }
    for (const scheme of ["bearer", "BEARER", "Bearer "]) {
      expect((await me(`${scheme} ${accessToken}`)).status).toBe(200);
    }
  });

  test("of an unknown session is rejected as revoked", async () => {
    await expectRefused(
      await forge({ claims: { sid: "zzzzzzzzzzzz" } }),
      "The credential has expired or was revoked.",
    );
  });

  test("of another user's session has the permissions of the session's user", async () => {
    const token = await forge({ claims: { sub: (await signUp(app())).user.publicId } });
    const { body } = await app().call({ method: "GET", path: "/users/me", token });
    expect(body.name).toBe("Ada Lovelace");
  });

  test("under APP_SECRET_PREVIOUS is still valid; new tokens use APP_SECRET", async () => {
    const { accessToken, user } = await signUp(app());
    const { config } = app().deps;
    const next = "the secret that came after, 32 characters";
    const { tokens } = await createDeps({
      ...app().deps,
      config: { ...config, APP_SECRET: next, APP_SECRET_PREVIOUS: config.APP_SECRET },
    });
    const rotated = withDeps(app(), { tokens });
    expect((await rotated(request("GET", "/users/me", accessToken))).status).toBe(200);
    const login = request("POST", "/auth/login", undefined, {
      email: user.email,
      password,
    });
    const { accessToken: newer } = (await rotated(login)).body;
    expect((await rotated(request("GET", "/users/me", newer))).status).toBe(200);
    await expectRefused(newer, foreign);

    const forgotten = await createDeps({ ...app().deps, config: { ...config, APP_SECRET: next } });
    const without = withDeps(app(), { tokens: forgotten.tokens });
    expect((await without(request("GET", "/users/me", accessToken))).status).toBe(401);
  });

  test("is verified before the input", async () => {
    const { accessToken, user } = await signUp(app());
    const other = await signIn(app(), user.email);
    await app().call({ method: "POST", path: "/auth/logout", token: accessToken });
    const bad = (token?: string) =>
      app().call({ method: "POST", path: "/auth/api-keys", token, body: "{" });
    expect((await bad()).status).toBe(401);
    expect((await bad(accessToken)).status).toBe(401);
    expect((await bad("nonsense")).status).toBe(401);
    const received = { "Content-Type": "application/json" };
    const call = {
      method: "POST",
      path: "/auth/api-keys",
      token: other.accessToken,
      body: "{",
      headers: received,
    };
    expect((await app().call(call)).status).toBe(400);
  });
});
