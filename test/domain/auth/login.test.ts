import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, useApp, type App } from "../../support/app.ts";
import { freshEmail, password, signIn, signUp, type Account } from "./account.ts";
import { setDeleted } from "../../support/rows.ts";
import { removePassword } from "../../support/state.ts";

const app = useApp();
const login = (body: unknown, of: App = app()) =>
  of.call({ method: "POST", path: "/auth/login", body });

describe("auth.login", () => {
  test("returns tokens of a new session and the user", async () => {
    const account = await signUp(app());
    const again = await signIn(app(), ` ${account.user.email.toUpperCase()}`);
    expect(again.user).toEqual(account.user);
    expect(again.refreshToken).not.toBe(account.refreshToken);
    expect(Object.keys(again).sort()).toEqual(Object.keys(account).sort());
    const sessions = await app().call({
      method: "GET",
      path: "/auth/sessions",
      token: again.accessToken,
    });
    expect(sessions.body).toHaveLength(2);
  });

  test("accepts any Unicode normalization of the password", async () => {
    const email = freshEmail();
    const composed = "caf\u00e9 und \u00fcbermut";
    await app().call({
      method: "POST",
      path: "/auth/register",
      body: { email, password: composed, name: "A" },
    });
    expect((await login({ email, password: composed.normalize("NFD") })).status).toBe(200);
    expect((await login({ email, password: "cafe und ubermut" })).status).toBe(401);
  });

  test("responds the same to an unknown address and a wrong password", async () => {
    const { user } = await signUp(app());
    const wrong = await login({ email: user.email, password: `${password}!` });
    const unknown = await login({ email: freshEmail(), password });
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.body).toEqual({
      code: "UNAUTHORIZED",
      message: "Authorization not provided",
      issues: [{ message: "The email address or the password is wrong.", code: "sign_in_failed" }],
    });
    expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
  });

  test("rejects a deleted account and one without a password", async () => {
    for (const change of [
      ({ publicId }: Account["user"]) => setDeleted(app(), "users", publicId, new Date()),
      ({ email }: Account["user"]) => removePassword(app(), email),
    ]) {
      const { user } = await signUp(app());
      await change(user);
      expect((await login({ email: user.email, password })).status).toBe(401);
    }
  });

  test.each([
    [{ email: "x", password }, "email"],
    [{ email: "a@example.org" }, "password"],
    [{ email: "a@example.org", password: "" }, "password"],
    [{ email: "a@example.org", password: "x".repeat(257) }, "password"],
    [{ email: "a@example.org", password, remember: true }, "remember"],
  ])("rejects %j", async (body, field) => {
    const reply = await login(body);
    expect(reply.status).toBe(400);
    expect(reply.body.issues[0].path).toEqual([field]);
  });

  test("works over tRPC, with the same error", async () => {
    const body = { email: freshEmail(), password };
    const reply = await app().call({ method: "POST", path: "/trpc/auth.login", body });
    expect(reply.status).toBe(401);
    expect(reply.body.error.data).toMatchObject({
      code: "UNAUTHORIZED",
      message: "Authorization not provided",
      issues: [{ message: "The email address or the password is wrong.", code: "sign_in_failed" }],
    });
  });
});

describe("auth.login under limits", () => {
  let limited: App;
  beforeAll(async () => {
    limited = await startApp({ env: { AUTH_RATE_LIMIT: "3" } });
  });
  afterAll(() => limited.close());

  test("limits attempts per address, also with the right password, with Retry-After", async () => {
    const { user } = await signUp(limited);
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(
        (await login({ email: user.email, password: "not the password" }, limited)).status,
      ).toBe(401);
    }
    const { status, body, headers } = await login(
      { email: user.email.toUpperCase(), password },
      limited,
    );
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: "TOO_MANY_REQUESTS", message: "Too many requests" });
    expect(body.issues).toHaveLength(1);
    const wait = Number(headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(900);
    expect(headers.get("ratelimit")).toMatch(/r=0/);
    const trpc = {
      method: "POST",
      path: "/trpc/auth.login",
      body: { email: user.email, password },
    };
    const over = await limited.call(trpc);
    expect(over.status).toBe(429);
    expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("does not count successful sign-ins", async () => {
    const { user } = await signUp(limited);
    const responses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      responses.push((await login({ email: user.email, password }, limited)).status);
    }
    expect(responses).toEqual([200, 200, 200, 200, 200]);
  });

  test("limits an address without an account equally", async () => {
    const email = freshEmail();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt++)
      statuses.push((await login({ email, password }, limited)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test("a client over its own limit does not consume attempts of others", async () => {
    const behind = await startApp({ env: { AUTH_RATE_LIMIT: "2", TRUST_PROXY: "1" } });
    try {
      const { user } = await signUp(behind);
      const from = (ip: string, email: string) =>
        behind.call({
          method: "POST",
          path: "/auth/login",
          body: { email, password },
          headers: { "X-Forwarded-For": ip },
        });
      for (let nth = 0; nth < 20; nth++) await from("203.0.113.1", freshEmail());
      for (let nth = 0; nth < 3; nth++) {
        expect((await from("203.0.113.1", user.email)).status).toBe(429);
      }
      expect((await from("203.0.113.2", user.email)).status).toBe(200);
    } finally {
      await behind.close();
    }
  });

  test("limits a client that tries many addresses", async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 35; attempt++) {
      statuses.push((await login({ email: freshEmail(), password }, limited)).status);
    }
    expect(statuses).toContain(429);
    expect((await login({ email: freshEmail(), password }, limited)).status).toBe(429);
  });
});
