import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailsTo } from "../../kernel/jobs/fixtures.ts";
import { startApp, type App } from "../../support/app.ts";
import { freshEmail, password } from "./account.ts";

let app: App;
beforeAll(async () => {
  app = await startApp({ env: { AUTH_RATE_LIMIT: "2", TRUST_PROXY: "1" } });
});
afterAll(() => app.close());

let networks = 0;
const newNetwork = () => `198.51.${(++networks >> 8) & 255}.${networks & 255}`;
const post = (path: string, body: object, ip: string, token?: string) =>
  app.call({ method: "POST", path, body, headers: { "X-Forwarded-For": ip }, token });
const signIn = async (email: string, ip: string, secret = password) =>
  (await post("/auth/login", { email, password: secret }, ip)).status;

/** Registers an account from a network, and guesses at its password from many others. */
async function attacked() {
  const [email, home] = [freshEmail(), newNetwork()];
  const { body } = await post("/auth/register", { email, password, name: "Owner" }, home);
  // 20 wrong passwords are the budget: ten times AUTH_RATE_LIMIT.
  for (let guess = 0; guess < 20; guess++) {
    expect(await signIn(email, newNetwork(), `guess ${guess}`)).toBe(401);
  }
  return { email, home, token: String(body.accessToken) };
}

describe("after many wrong passwords from many networks", () => {
  test("further networks share one attempt per minute", async () => {
    const { email } = await attacked();
    expect(await signIn(email, newNetwork(), "guess")).toBe(401);
    const over = await post("/auth/login", { email, password: "guess" }, newNetwork());
    expect(over.status).toBe(429);
    expect(Number(over.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    // Not even the right password is confirmed to a network that guesses.
    expect(await signIn(email, newNetwork())).toBe(429);
  });

  test("the owner signs in from a network of an earlier sign-in", async () => {
    const { email, home } = await attacked();
    await signIn(email, newNetwork(), "guess");
    expect(await signIn(email, home)).toBe(200);
    expect(await signIn(email, newNetwork())).toBe(429);
  });

  test("the owner changes the password", async () => {
    const { home, token } = await attacked();
    const change = await app.call({
      method: "PUT",
      path: "/auth/password",
      token,
      body: { currentPassword: password, newPassword: `${password} 2` },
      headers: { "X-Forwarded-For": home },
    });
    expect(change.status).toBe(200);
  });

  test("the owner resets the password from any network, and signs in there", async () => {
    const { email } = await attacked();
    const elsewhere = newNetwork();
    await signIn(email, newNetwork(), "guess");
    expect(await signIn(email, elsewhere)).toBe(429);
    expect((await post("/auth/password/reset-request", { email }, elsewhere)).status).toBe(200);
    const text = (await mailsTo(app, email)).at(-1)?.text ?? "";
    const token = /The token is (\S+)/.exec(text)?.[1] ?? "";
    const newPassword = `${password} 3`;
    const reset = await post("/auth/password/reset", { token, newPassword }, elsewhere);
    expect(reset.status).toBe(200);
    expect(await signIn(email, elsewhere, newPassword)).toBe(200);
  });
});

test("wrong passwords from a network do not use up its requests to reset", async () => {
  const [email, ip] = [freshEmail(), newNetwork()];
  await post("/auth/register", { email, password, name: "Owner" }, ip);
  for (const _ of [1, 2]) expect(await signIn(email, ip, "wrong")).toBe(401);
  expect(await signIn(email, ip)).toBe(429);
  expect((await post("/auth/password/reset-request", { email }, ip)).status).toBe(200);
});

test("an address without an account is limited equally", async () => {
  const email = freshEmail();
  for (let guess = 0; guess < 21; guess++) {
    expect(await signIn(email, newNetwork(), "guess")).toBe(401);
  }
  expect(await signIn(email, newNetwork(), "guess")).toBe(429);
});

test("addresses of one IPv6 network count together, in any spelling", async () => {
  const email = freshEmail();
  const attempts = ["2001:db8::1", "2001:DB8:0:0::2", "2001:db8:0:0:ffff::3"];
  const statuses: number[] = [];
  for (const ip of attempts) statuses.push(await signIn(email, ip, "guess"));
  expect(statuses).toEqual([401, 401, 429]);
});

test("wrong passwords of a network do not refuse its valid tokens", async () => {
  const [email, ip] = [freshEmail(), newNetwork()];
  const { body } = await post("/auth/register", { email, password, name: "Owner" }, ip);
  for (let nth = 0; nth < 20; nth++) await signIn(freshEmail(), ip, "guess");
  expect(await signIn(freshEmail(), ip, "guess")).toBe(429);
  expect((await post("/auth/refresh", { refreshToken: "guess" }, ip)).status).toBe(429);
  const { refreshToken } = body;
  expect((await post("/auth/refresh", { refreshToken }, ip)).status).toBe(200);
});
