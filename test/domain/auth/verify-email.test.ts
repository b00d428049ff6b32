import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { queueMail } from "../../../src/kernel/jobs/mail.ts";
import { write } from "../../kernel/jobs/fixtures.ts";
import { startIssuer } from "../../support/issuer.ts";
import { runDue } from "../../support/jobs.ts";
import { makeUser, makeWorkspace, type User } from "../../support/make.ts";
import { startSmtp } from "../../support/smtp.ts";

const smtp = await startSmtp();
const issuer = await startIssuer();
const app = useApp({
  env: {
    SMTP_URL: smtp.url,
    AUTH_RATE_LIMIT: "10",
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: issuer.audience,
    GITHUB_CLIENT_ID: "client",
    GITHUB_CLIENT_SECRET: "secret",
  },
});
afterAll(async () => {
  smtp.close();
  await issuer.stop();
});
beforeEach(() => void (smtp.mails.length = 0));

const password = "a password for tests";

/** Sends the queued mails; returns the texts of those to an address. */
async function mailsTo(email: string): Promise<string[]> {
  await runDue(app().deps);
  return smtp.mails.filter(({ to }) => to.includes(email)).map(({ text }) => text);
}

async function tokenOf(user: User): Promise<string> {
  const texts = await mailsTo(user.email);
  return texts.map((text) => /The token is (\S+)/.exec(text)?.[1]).findLast(Boolean) ?? "";
}

const verify = (user: User, token: string) => user.rest.post("/auth/verify-email", { token });
const resend = (user: User) => user.rest.post("/auth/verify-email/resend");
const createKey = ({ rest }: Pick<User, "rest">) =>
  rest.post("/auth/api-keys", { name: "Key", password });
const unverified = [{ code: "email_not_verified", message: expect.stringContaining("resend") }];

describe("a new account", () => {
  test("is mailed a token that verifies it", async () => {
    const user = await makeUser(app());
    expect((await createKey(user)).body.issues).toEqual(unverified);
    const token = await tokenOf(user);
    expect((await verify(user, token)).body).toEqual({ success: true });
    expect((await createKey(user)).status).toBe(200);
    // The same mail again is harmless.
    expect((await verify(user, token)).status).toBe(200);
  });

  test("signs in and works while it is unverified", async () => {
    const user = await makeUser(app());
    const body = { email: user.email, password };
    expect((await user.rest.post("/auth/login", body)).status).toBe(200);
    await makeWorkspace(app(), user);
  });

  test("cannot create API keys, connect services or invite by mail", async () => {
    const { publicId, admin } = await makeWorkspace(app());
    const { rest } = admin;
    const invite = { email: "stranger@example.com" };
    for (const reply of [
      await createKey({ rest }),
      await rest.post("/auth/api-keys", { name: "Key", permissions: ["card:view"] }),
      await rest.get("/integration/authorize"),
      await rest.get("/integration/authorize?provider=trello"),
      await rest.post(`/workspaces/${publicId}/members/invite`, invite),
    ]) {
      expect(reply.status).toBe(403);
      expect(reply.body.issues).toEqual(unverified);
    }
  });

  test("cannot use an invite to its address, by code or by link", async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    await verify(workspace.admin, await tokenOf(workspace.admin));
    const user = await makeUser(app());
    const path = `/workspaces/${workspace.publicId}`;
    await rest.post(`${path}/members/invite`, { email: user.email });
    const texts = (await mailsTo(user.email)).join("\n");
    const code = /The invite code is (\S+)/.exec(texts)?.[1];
    const link = (await rest.post(`${path}/invites`)).body.inviteCode;
    for (const inviteCode of [code, link]) {
      const { status, body } = await user.rest.post("/invites/accept", { inviteCode });
      expect(status).toBe(403);
      expect(body.issues).toEqual(unverified);
    }
    await verify(user, await tokenOf(user));
    expect((await user.rest.post("/invites/accept", { inviteCode: code })).status).toBe(200);
  });

  test("joins with a link that is not for its address", async () => {
    const workspace = await makeWorkspace(app());
    const { body } = await workspace.admin.rest.post(`/workspaces/${workspace.publicId}/invites`);
    const { rest } = await makeUser(app());
    expect((await rest.post("/invites/accept", { inviteCode: body.inviteCode })).status).toBe(200);
  });
});

describe("a token", () => {
  test("verifies its own account only, and only while it is fresh", async () => {
    const [user, other] = [await makeUser(app()), await makeUser(app())];
    const token = await tokenOf(user);
    const forged = token.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    for (const [who, wrong] of [
      [other, token],
      [user, forged],
      [user, "v1.x"],
    ] as const) {
      const { status, body } = await verify(who, wrong);
      expect({ status, path: body.issues[0].path }).toEqual({ status: 400, path: ["token"] });
    }
    app().advance(24 * 60 * 60_000);
    const again = await user.rest.post("/auth/login", { email: user.email, password });
    const late = await app().call({
      method: "POST",
      path: "/auth/verify-email",
      token: again.body.accessToken,
      body: { token },
    });
    expect(late.status).toBe(400);
  });

  test("needs a signed-in user, so that a click in a mail verifies no one else", async () => {
    const user = await makeUser(app());
    const body = { token: await tokenOf(user) };
    const path = "/auth/verify-email";
    expect((await app().call({ method: "POST", path, body })).status).toBe(401);
  });
});

describe("auth.resendVerification", () => {
  test("mails another token, five times per hour", async () => {
    const user = await makeUser(app());
    for (const _ of [1, 2, 3, 4, 5]) expect((await resend(user)).status).toBe(200);
    expect((await resend(user)).status).toBe(429);
    expect(await mailsTo(user.email)).toHaveLength(6);
    expect((await verify(user, await tokenOf(user))).status).toBe(200);
  });

  test("mails nothing to a verified address", async () => {
    const user = await makeUser(app());
    await verify(user, await tokenOf(user));
    const before = (await mailsTo(user.email)).length;
    expect((await resend(user)).body).toEqual({ success: true });
    expect(await mailsTo(user.email)).toHaveLength(before);
  });
});

describe("an address is verified by", () => {
  test("a password reset", async () => {
    const user = await makeUser(app());
    await user.rest.post("/auth/password/reset-request", { email: user.email });
    const text = (await mailsTo(user.email)).find((one) => one.includes("new password")) ?? "";
    const token = /The token is (\S+)/.exec(text)?.[1];
    await user.rest.post("/auth/password/reset", { token, newPassword: `${password} 2` });
    const login = { email: user.email, password: `${password} 2` };
    const { body } = await user.rest.post("/auth/login", login);
    const key = await app().call({
      method: "POST",
      path: "/auth/api-keys",
      token: body.accessToken,
      body: { name: "Key", password: login.password },
    });
    expect(key.status).toBe(200);
  });

  test("an issuer that vouches for it, for a new account and a claimed one", async () => {
    const claimed = await makeUser(app());
    for (const email of [claimed.email, `sso-${claimed.email}`]) {
      const token = await issuer.token(app().deps.clock(), {
        sub: email,
        email,
        email_verified: true,
      });
      const me = await app().call({ method: "GET", path: "/users/me", token });
      expect(me.status).toBe(200);
      const where = { email };
      const row = await app().db.reader.user.findUniqueOrThrow({ where });
      expect(row.emailVerifiedAt).not.toBeNull();
    }
  });
});

test("an unverified address receives no notifications by mail", async () => {
  const user = await makeUser(app());
  const news = { to: user.email, type: "mentioned" as const, subject: "News", text: "News" };
  await write(app(), (tx) => queueMail(tx, app().deps, news));
  const token = await tokenOf(user);
  expect(await mailsTo(user.email)).toHaveLength(1);
  await verify(user, token);
  await write(app(), (tx) => queueMail(tx, app().deps, news));
  expect(await mailsTo(user.email)).toHaveLength(2);
});
