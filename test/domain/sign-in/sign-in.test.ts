import { generateKeyPairSync } from "node:crypto";
import type { JWTPayload } from "jose";
import { afterAll, describe, expect, test } from "vitest";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp, type Reply } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { mailsTo } from "../../kernel/jobs/fixtures.ts";
import { makeUser, makeWorkspace } from "../../support/make.ts";
import {
  secretClaims,
  startGitHubSignIn,
  startSignInProvider,
  type ProviderFault,
  type SignInDouble,
} from "../../support/sign-in-provider.ts";

const tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const google = await startSignInProvider();
const microsoft = await startSignInProvider(`/${tenant}/v2.0`);
const apple = await startSignInProvider();
const acme = await startSignInProvider();
const liar = await startSignInProvider();
const github = await startGitHubSignIn();
const doubles = [google, microsoft, apple, acme, liar, github];
afterAll(() => Promise.all(doubles.map((double) => double.stop())));
liar.issuer = google.url;

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const client = { clientId: "boards", clientSecret: "a secret" };
const app = useApp({
  env: {
    RETURN_URLS: "https://app.example.com/done",
    SIGN_IN_PROVIDERS: JSON.stringify([
      { kind: "google", ...client, issuer: google.url },
      { kind: "github", ...client, url: github.url, apiUrl: github.url },
      { kind: "microsoft", ...client, tenant, url: microsoft.url },
      {
        kind: "apple",
        clientId: "boards",
        teamId: "TEAM",
        keyId: "KEY",
        privateKey: privateKey.export({ type: "pkcs8", format: "pem" }),
        issuer: apple.url,
      },
      { kind: "oidc", id: "acme", name: "Acme", ...client, issuer: acme.url, trustsEmail: true },
      { kind: "oidc", id: "liar", ...client, issuer: liar.url },
      { kind: "oidc", id: "down", ...client, issuer: "http://127.0.0.1:1" },
    ]),
  },
});

const returnUrl = "https://app.example.com/done";
const person = (claims: JWTPayload = {}): JWTPayload & { email: string } => {
  const subject = publicId();
  return {
    sub: subject,
    email: `${subject}@example.com`,
    email_verified: true,
    name: "Ada Brandt",
    ...claims,
  };
};

const start = async (provider: string) => {
  const { status, body } = await as(app()).rest.post("/sign-in/start", { provider, returnUrl });
  expect(status).toBe(200);
  return body as { url: string; secret: string };
};

/** Where the browser is sent by the callback: what the page gets. */
async function comeBack(to: URL): Promise<URLSearchParams> {
  const response = await app().fetch(
    new Request(`${app().deps.baseUrl}${to.pathname}${to.search}`, { redirect: "manual" }),
  );
  expect([302, 303]).toContain(response.status);
  const url = new URL(response.headers.get("location") ?? "");
  expect(`${url.origin}${url.pathname}`).toBe(returnUrl);
  return url.searchParams;
}

/** Signs in at a provider of OpenID Connect; returns what the page has. */
async function through(
  provider: string,
  double: SignInDouble,
  claims: JWTPayload,
  fault: ProviderFault = {},
) {
  const { url, secret } = await start(provider);
  const query = await comeBack(double.signIn(url, claims, fault));
  return { result: query.get("result") ?? "", error: query.get("error"), secret };
}

const password = "a password for tests";
const finish = ({ result, secret }: { result: string; secret: string }): Promise<Reply> =>
  as(app()).rest.post("/sign-in/finish", { result, secret });
const link = (token: string, { result, secret }: { result: string; secret: string }) =>
  as(app(), token).rest.post("/sign-in/link", { result, secret, password });
const verify = (email: string) =>
  app().db.write(sql`UPDATE users SET "emailVerifiedAt" = now() WHERE email = ${email}`);

describe("a sign-in through a provider", () => {
  test("the providers are listed", async () => {
    const { body } = await as(app()).rest.get("/sign-in/providers");
    expect(body.map(({ id, name }: { id: string; name: string }) => `${id} ${name}`)).toEqual([
      "google Google",
      "github GitHub",
      "microsoft Microsoft",
      "apple Apple",
      "acme Acme",
      "liar OpenID Connect",
      "down OpenID Connect",
    ]);
  });

  test("makes an account, and leads to it again", async () => {
    const ada = person();
    const { status, body } = await finish(await through("google", google, ada));
    expect([status, body.user.email, body.user.name]).toEqual([200, ada.email, "Ada Brandt"]);
    const { body: me } = await as(app(), body.accessToken).rest.get("/users/me");
    expect(me.publicId).toBe(body.user.publicId);
    const again = await finish(
      await through("google", google, { ...ada, email: "new@example.com" }),
    );
    expect(again.body.user.publicId).toBe(body.user.publicId);
    const identities = await as(app(), body.accessToken).rest.get("/sign-in/identities");
    expect(identities.body).toMatchObject([{ provider: "google", email: "new@example.com" }]);
  });

  test("through GitHub takes the primary address that GitHub has verified", async () => {
    const { url, secret } = await start("github");
    const id = Math.floor(Math.random() * 1e9) + 1;
    const emails = [
      { email: "old@example.com", primary: false, verified: true },
      { email: `gh-${id}@example.com`, primary: true, verified: true },
    ];
    const octocat = { id, login: "octocat", name: null, emails };
    const query = await comeBack(github.signIn(url, octocat));
    const { status, body } = await finish({ result: query.get("result") ?? "", secret });
    expect([status, body.user.email, body.user.name]).toEqual([
      200,
      `gh-${id}@example.com`,
      "octocat",
    ]);
  });

  test("through Apple posts a form, names the person once, and signs the secret", async () => {
    const ada = person({ name: undefined, email_verified: "true" });
    const { url, secret } = await start("apple");
    expect(new URL(url).searchParams.get("response_mode")).toBe("form_post");
    const back = apple.signIn(url, ada);
    const user = JSON.stringify({ name: { firstName: "Ada", lastName: "Lovelace" } });
    const response = await app().fetch(
      new Request(`${app().deps.baseUrl}${back.pathname}`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: String(new URLSearchParams([...back.searchParams, ["user", user]])),
        redirect: "manual",
      }),
    );
    expect(response.status).toBe(303);
    const query = await comeBack(new URL(response.headers.get("location") ?? ""));
    const { body } = await finish({ result: query.get("result") ?? "", secret });
    expect(body.user).toMatchObject({ name: "Ada Lovelace", email: ada.email });
    const asked = apple.requests.find(({ path }) => path === "/token");
    expect(asked && secretClaims(asked)).toMatchObject({ iss: "TEAM", sub: "boards" });
  });

  test.each<[string, JWTPayload, ProviderFault]>([
    ["another issuer", {}, { claims: { iss: "https://accounts.example" } }],
    ["another audience", {}, { claims: { aud: "another app" } }],
    ["another nonce", {}, { claims: { nonce: "another" } }],
    ["no nonce", {}, { claims: { nonce: undefined } }],
    ["another key", {}, { otherKey: true }],
    ["an expired token", {}, { claims: { iat: 1, exp: 2 } }],
    ["an error of the token endpoint", {}, { status: 400, body: { error: "invalid_grant" } }],
    ["an error with status 200", {}, { status: 200, body: { error: "no" } }],
    ["a response that is no JSON object", {}, { status: 200, body: [] }],
    ["a failure of the provider", {}, { status: 503 }],
  ])("with %s is refused, and the page learns it", async (_, claims, fault) => {
    const returned = await through("google", google, person(claims), fault);
    expect(returned).toMatchObject({ result: "", error: "sign_in_failed" });
  });

  test("works once: its state, its code and its result", async () => {
    const { url, secret } = await start("google");
    const back = google.signIn(url, person());
    const query = await comeBack(back);
    const second = await as(app()).rest.get(`/sign-in/callback/google${back.search}`);
    expect([second.status, second.body.issues?.[0].code]).toEqual([400, "token_invalid"]);
    const returned = { result: query.get("result") ?? "", secret };
    expect((await finish(returned)).status).toBe(200);
    expect((await finish(returned)).status).toBe(400);
  });

  test("ends only in the page that began it", async () => {
    const mine = await start("google");
    const theirs = await through("google", google, person());
    const { status } = await finish({ result: theirs.result, secret: mine.secret });
    expect(status).toBe(400);
    expect((await finish(theirs)).status).toBe(200);
  });

  test("of a provider that is down, or that names another issuer, is 502", async () => {
    for (const [provider, code] of [
      ["down", "provider_unreachable"],
      ["liar", "provider_failed"],
    ]) {
      const answer = await as(app()).rest.post("/sign-in/start", { provider, returnUrl });
      expect([answer.status, answer.body.issues[0].code]).toEqual([502, code]);
    }
  });

  test("returns only to allowed pages, and to no unknown provider", async () => {
    const post = (body: object) => as(app()).rest.post("/sign-in/start", body);
    const elsewhere = "https://app.example.com.evil.example/done";
    expect((await post({ provider: "google", returnUrl: elsewhere })).status).toBe(400);
    expect((await post({ provider: "google", returnUrl: "javascript:alert(1)" })).status).toBe(400);
    expect((await post({ provider: "nobody", returnUrl })).status).toBe(404);
    expect(
      (await post({ provider: "google", returnUrl: `${app().deps.baseUrl}/demo` })).status,
    ).toBe(200);
  });

  test("that was denied says so", async () => {
    const { url } = await start("google");
    const state = new URL(url).searchParams.get("state") ?? "";
    const to = `/api/v1/sign-in/callback/google?error=access_denied&state=${state}`;
    const query = await comeBack(new URL(to, "http://localhost"));
    expect(query.get("error")).toBe("access_denied");
  });
});

describe("whose account it is", () => {
  test("an address that was not verified gets none", async () => {
    const ada = person({ email_verified: false });
    const { status, body } = await finish(await through("google", google, ada));
    expect([status, body.issues[0].code]).toEqual([403, "address_unverified"]);
  });

  test("Microsoft's addresses count only where the domain's owner was verified", async () => {
    const nobody = person({ tid: tenant });
    const refused = await finish(await through("microsoft", microsoft, nobody));
    expect([refused.status, refused.body.issues[0].code]).toEqual([403, "address_unverified"]);
    const owner = person({ tid: tenant, xms_edov: true, email_verified: undefined });
    expect((await finish(await through("microsoft", microsoft, owner))).status).toBe(200);
    const other = person({ tid: "8bf9c3a1-0000-4000-8000-2d7cd011db47", xms_edov: true });
    expect((await through("microsoft", microsoft, other)).error).toBe("sign_in_failed");
  });

  test("an operator can vouch for the addresses of their own provider", async () => {
    const ada = person({ email_verified: undefined });
    expect((await finish(await through("acme", acme, ada))).status).toBe(200);
  });

  test("an account with a verified address is linked only by its owner", async () => {
    const owner = await makeUser(app());
    await verify(owner.email);
    const returned = await through("google", google, person({ email: owner.email }));
    const refused = await finish(returned);
    expect([refused.status, refused.body.issues[0].code]).toEqual([409, "link_required"]);
    const linked = await link(owner.token, returned);
    expect([linked.status, linked.body.provider]).toEqual([200, "google"]);
    expect((await link(owner.token, returned)).status).toBe(400);
    const subject = person({ email: owner.email });
    const other = await through("google", google, subject);
    expect((await finish(other)).status).toBe(409);
  });

  test("a squatter's account goes to the one who has proved the address", async () => {
    const email = `${publicId()}@example.com`;
    const squatter = await as(app()).rest.post("/auth/register", {
      email,
      name: "Squatter",
      password: "a password for tests",
    });
    const { status, body } = await finish(await through("google", google, person({ email })));
    expect([status, body.user.publicId]).toEqual([200, squatter.body.user.publicId]);
    expect((await as(app(), squatter.body.accessToken).rest.get("/users/me")).status).toBe(401);
    const signIn = { email, password: "a password for tests" };
    expect((await as(app()).rest.post("/auth/login", signIn)).status).toBe(401);
  });

  test("one subject at two issuers is two identities", async () => {
    const ada = person();
    const first = await finish(await through("google", google, ada));
    const second = await through("acme", acme, { ...ada, email: "another@example.com" });
    const { body } = await finish(second);
    expect(body.user.publicId).not.toBe(first.body.user.publicId);
  });

  test("an identity of another account is not linked", async () => {
    const ada = person();
    await finish(await through("google", google, ada));
    const other = await makeUser(app());
    const { status, body } = await link(other.token, await through("google", google, ada));
    expect([status, body.issues[0].code]).toEqual([409, "identity_taken"]);
  });

  test("the last way to sign in is not removed, also by two calls at once", async () => {
    const { body } = await finish(await through("google", google, person()));
    const { rest } = as(app(), body.accessToken);
    const [first] = (await rest.get("/sign-in/identities")).body;
    const last = await rest.delete(`/sign-in/identities/${first.publicId}`);
    expect([last.status, last.body.issues[0].code]).toEqual([409, "last_sign_in"]);
    await link(body.accessToken, await through("acme", acme, person()));
    const { body: both } = await rest.get("/sign-in/identities");
    const answers = await Promise.all(
      both.map((one: { publicId: string }) => rest.delete(`/sign-in/identities/${one.publicId}`)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("a person of a provider may set a password, and then sign in without it", async () => {
    const ada = person();
    await finish(await through("google", google, ada));
    await as(app()).rest.post("/auth/password/reset-request", { email: ada.email });
    const [mail] = await mailsTo(app(), ada.email);
    const token = /The token is (\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const newPassword = `a ${publicId()} for tests`;
    const reset = await as(app()).rest.post("/auth/password/reset", { token, newPassword });
    expect(reset.status).toBe(200);
    // Who was linked before may have been another person.
    const { result, secret } = await through("google", google, ada);
    expect((await finish({ result, secret })).status).toBe(409);
    const signIn = { email: ada.email, password: newPassword };
    const { body } = await as(app()).rest.post("/auth/login", signIn);
    const { rest } = as(app(), body.accessToken);
    const linked = await rest.post("/sign-in/link", { result, secret, password: newPassword });
    expect(linked.status).toBe(200);
    const unlinked = await rest.delete(`/sign-in/identities/${linked.body.publicId}`);
    expect([unlinked.status, (await rest.get("/sign-in/identities")).body]).toEqual([200, []]);
  });

  test("linking needs the password, and a session", async () => {
    const owner = await makeUser(app());
    const { result, secret } = await through("google", google, person());
    for (const [given, status] of [
      [{}, 400],
      [{ password: "another password" }, 403],
    ] as const) {
      const answer = await owner.rest.post("/sign-in/link", { result, secret, ...given });
      expect(answer.status).toBe(status);
    }
    const { body: key } = await owner.rest.post("/auth/api-keys", { name: "Key", password });
    expect((await link(key.key, { result, secret })).status).toBe(403);
    expect((await link(owner.token, { result, secret })).status).toBe(200);
  });

  test("an account has at most twenty, also by calls at once", async () => {
    const owner = await makeUser(app());
    const { id: userId } = await app().db.reader.user.findUniqueOrThrow({
      where: { publicId: owner.publicId },
    });
    await app().db
      .write(sql`INSERT INTO identities ("publicId", "userId", provider, issuer, subject)
      SELECT ${owner.publicId} || n, ${userId}, 'google', 'x', ${owner.publicId} || n
      FROM generate_series(1, 19) AS n`);
    const returned = [
      await through("google", google, person()),
      await through("acme", acme, person()),
    ];
    const answers = await Promise.all(returned.map((one) => link(owner.token, one)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("two accounts that link one person at once: one gets it", async () => {
    const ada = person();
    const owners = [await makeUser(app()), await makeUser(app())];
    const answers = await Promise.all(
      owners.map(async ({ token }) => link(token, await through("google", google, ada))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("a service account is never signed in to", async () => {
    const { admin, publicId: workspace } = await makeWorkspace(app());
    const { body: bot } = await admin.rest.post(`/workspaces/${workspace}/service-accounts`, {
      name: "Deploy bot",
    });
    const [account] = await app().db.read<{ email: string }>(sql`SELECT u.email FROM users u
      JOIN members m ON m."userId" = u.id WHERE m."publicId" = ${bot.publicId}`);
    const returned = await through("acme", acme, person({ email: account?.email }));
    expect((await finish(returned)).status).toBe(409);
    const path = `/workspaces/${workspace}/service-accounts/${bot.publicId}/keys`;
    const { body: key } = await admin.rest.post(path, { name: "Key" });
    expect((await link(key.key, returned)).status).toBe(403);
  });

  test("a deleted account is not found by its identity: the person gets a new one", async () => {
    const ada = person();
    const { body } = await finish(await through("google", google, ada));
    const { rest } = as(app(), body.accessToken);
    expect((await rest.delete("/users/me", {})).status).toBe(200);
    const again = await finish(await through("google", google, ada));
    expect(again.status).toBe(200);
    expect(again.body.user.publicId).not.toBe(body.user.publicId);
  });

  test("a subject that the operator's own issuer has made an account for is that account", async () => {
    const ada = person();
    const owner = await makeUser(app());
    await app().db.write(sql`UPDATE users SET issuer = ${google.url}, subject = ${String(ada.sub)}
      WHERE "publicId" = ${owner.publicId}`);
    const returned = await through("google", google, ada);
    const other = await makeUser(app());
    expect((await link(other.token, returned)).status).toBe(409);
    const { body } = await finish(returned);
    expect(body.user.publicId).toBe(owner.publicId);
  });

  test("a name of which nothing is seen is none", async () => {
    const { body } = await finish(
      await through(
        "google",
        google,
        person({ name: "\u200b\u3164", preferred_username: "\u2800" }),
      ),
    );
    expect(body.user.name).toBe("User");
  });

  test("a disabled account stays out", async () => {
    const ada = person();
    const { body } = await finish(await through("google", google, ada));
    await app().db.write(sql`UPDATE users SET "disabledAt" = now()
      WHERE "publicId" = ${body.user.publicId}`);
    expect((await finish(await through("google", google, ada))).status).toBe(401);
  });

  test("ten finishes of one person at once make one account", async () => {
    const ada = person();
    const returned = await Promise.all(
      Array.from({ length: 10 }, () => through("google", google, ada)),
    );
    const answers = await Promise.all(returned.map(finish));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.user.publicId)).size).toBe(1);
  });
});
