import { describe, expect, test } from "vitest";
import { tally } from "../../kernel/access/membership.ts";
import { jobsOf } from "../../kernel/jobs/fixtures.ts";
import { connection, waiting } from "../../property/rows.ts";
import { startApp, useApp, type Reply } from "../../support/app.ts";
import { as } from "../../support/as.ts";
import { makeUser } from "../../support/make.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { queryOn } from "../../support/rows.ts";
import { resetPassword } from "../../support/faults.ts";

const app = useApp({ isolated: true });
const old = "a password for tests";
const fresh = "another password for tests";
const hour = 60 * 60 * 1000;

const login = async (email: string, password: string) =>
  (await as(app()).rest.post("/auth/login", { email, password })).status;
const reset = (token: string, newPassword = fresh) =>
  as(app()).rest.post("/auth/password/reset", { token, newPassword });

async function mailsTo(email: string) {
  const jobs = await jobsOf(app());
  return jobs
    .map(({ payload }) => payload as { to: string; text: string })
    .filter(({ to }) => to === email);
}

async function askedBy(email: string): Promise<string> {
  const { body } = await as(app()).rest.post("/auth/password/reset-request", { email });
  expect(body).toEqual({ success: true });
  const text = (await mailsTo(email)).at(-1)?.text ?? "";
  return /The token is (\S+)/.exec(text)?.[1] ?? "";
}

test("auth.changePassword revokes other sessions and requires the current password", async () => {
  const user = await makeUser(app());
  const { body } = await as(app()).rest.post("/auth/login", { email: user.email, password: old });
  const other = as(app(), body.accessToken);
  const put = async (currentPassword: string, newPassword: string) =>
    (await user.rest.put("/auth/password", { currentPassword, newPassword })).status;
  expect(await put("not the password", fresh)).toBe(403);
  expect(await put(old, "password")).toBe(400);
  const token = await askedBy(user.email);
  expect(await put(old, fresh)).toBe(200);
  expect((await user.rest.get("/users/me")).status).toBe(200);
  expect((await other.rest.get("/users/me")).status).toBe(401);
  expect(await login(user.email, old)).toBe(401);
  expect(await login(user.email, fresh)).toBe(200);
  expect((await reset(token)).status).toBe(400);
  const change = { currentPassword: fresh, newPassword: old };
  expect(await user.trpc.auth.changePassword.mutate(change)).toEqual({ success: true });
});

test("a mailed token sets a new password once and revokes all sessions", async () => {
  const user = await makeUser(app());
  const token = await askedBy(user.email.toUpperCase().toLowerCase());
  expect(token.length).toBeGreaterThan(20);
  expect((await reset(token, "short")).status).toBe(400);
  expect((await reset(token)).body).toEqual({ success: true });
  expect((await user.rest.get("/users/me")).status).toBe(401);
  expect(await login(user.email, old)).toBe(401);
  expect(await login(user.email, fresh)).toBe(200);
  expect((await reset(token)).status).toBe(400);
  expect((await reset("no such token")).status).toBe(400);
});

test("of concurrent uses of a token one succeeds, and it ends the account's other tokens", async () => {
  const user = await makeUser(app());
  const first = await askedBy(user.email);
  const token = await askedBy(user.email);
  const replies = await Promise.all([1, 2, 3].map((nth) => reset(token, `${fresh} ${nth}`)));
  expect(tally(replies)).toEqual({ 200: 1, 400: 2 });
  expect((await reset(first)).status).toBe(400);
});

test("a token is valid for one hour", async () => {
  const user = await makeUser(app());
  const token = await askedBy(user.email);
  const late = await askedBy(user.email);
  app().advance(hour - 1);
  expect((await reset(token)).status).toBe(200);
  const next = await askedBy(user.email);
  app().advance(hour);
  expect((await reset(next)).status).toBe(400);
  expect((await reset(late)).status).toBe(400);
});

test("requests by others mail five valid tokens, and do not keep the owner from a reset", async () => {
  const user = await makeUser(app());
  for (let request = 0; request < 7; request++) await askedBy(user.email);
  const mails = await mailsTo(user.email);
  expect(mails).toHaveLength(5);
  const last = /The token is (\S+)/.exec(mails.at(-1)?.text ?? "")?.[1] ?? "";
  expect((await reset(last)).status).toBe(200);
  expect((await reset(await askedBy(user.email), old)).status).toBe(200);
});

test("a request does not reveal accounts, stores no token in clear, and is limited", async () => {
  const before = await app().db.reader.passwordReset.count();
  expect(await askedBy("stranger@example.com")).toBe("");
  expect(await app().db.reader.passwordReset.count()).toBe(before);
  const user = await makeUser(app());
  const token = await askedBy(user.email);
  const rows = await app().db.reader.passwordReset.findMany();
  expect(rows.map(({ tokenHash }) => tokenHash)).not.toContain(token);
  const limited = await startApp({ env: { AUTH_RATE_LIMIT: "2" } });
  const ask = () =>
    as(limited).rest.post("/auth/password/reset-request", { email: "stranger@example.com" });
  expect(tally([await ask(), await ask(), await ask()])).toEqual({ 200: 2, 429: 1 });
  await limited.close();
});

describe("a password that is reset during its verification", () => {
  // The reset happens after the old password was verified.
  const meanwhile = async (email: string, call: () => Promise<Reply>) => {
    const owner = await connection(app());
    await owner.query(`BEGIN`);
    await resetPassword(queryOn(owner), email, "new hash");
    const late = call();
    await waiting(app());
    await owner.query(`COMMIT`);
    return (await late).status;
  };
  const rowOf = (email: string) =>
    app().db.read(sql`SELECT "passwordHash", "deletedAt" FROM users WHERE email = ${email}`);
  const taken = [{ passwordHash: "new hash", deletedAt: null }];

  test("cannot be changed with the old password", async () => {
    const { email, rest } = await makeUser(app());
    const change = { currentPassword: old, newPassword: fresh };
    expect(await meanwhile(email, () => rest.put("/auth/password", change))).toBe(403);
    expect(await rowOf(email)).toEqual(taken);
  });

  test("does not delete the account", async () => {
    const { email, rest } = await makeUser(app());
    expect(await meanwhile(email, () => rest.delete("/users/me", { password: old }))).toBe(403);
    expect(await rowOf(email)).toEqual(taken);
  });

  test("does not sign in", async () => {
    const { email } = await makeUser(app());
    const call = () => as(app()).rest.post("/auth/login", { email, password: old });
    expect(await meanwhile(email, call)).toBe(401);
  });
});
