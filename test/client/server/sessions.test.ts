import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newPublicId } from "../../../src/client/index.ts";
import { forward, sessionCookies, type CookieJar } from "../../../src/client/server/index.ts";
import { startApp, useApp } from "../../support/app.ts";
import { listen } from "../../support/listen.ts";

const app = useApp();
const requests: string[] = [];
let server: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  server = await listen(async (request) => {
    requests.push(new URL(request.url).pathname);
    return app().fetch(request);
  });
});
afterAll(() => server.close());

/** The cookies of a browser. */
function newJar() {
  const cookies = new Map<string, string>();
  const written: object[] = [];
  const jar: CookieJar = {
    get: (name) => (cookies.has(name) ? { value: cookies.get(name) ?? "" } : undefined),
    set(name, value, options) {
      cookies.set(name, value);
      written.push({ name, ...options });
    },
  };
  return { jar, written, copy: () => copyOf(cookies) };
}
/** The cookies that a simultaneous request has sent. */
function copyOf(cookies: Map<string, string>): CookieJar {
  const copied = new Map(cookies);
  return {
    get: (name) => (copied.has(name) ? { value: copied.get(name) ?? "" } : undefined),
    set: (name, value) => copied.set(name, value),
  };
}

async function signedIn() {
  const sessions = sessionCookies({ url: server.url });
  const browser = newJar();
  const email = `bff-${newPublicId()}@example.com`;
  const password = "a password for tests";
  await sessions.register(browser.jar, { email, password, name: "Ada" });
  return { sessions, ...browser, email, password };
}

test("a session is a cookie that scripts cannot read", async () => {
  const { sessions, jar, written, email } = await signedIn();
  expect(written).toEqual([
    {
      name: "__Host-boards",
      httpOnly: true,
      secure: true,
      sameSite: "lax",
      path: "/",
      maxAge: 30 * 24 * 60 * 60,
    },
  ]);
  expect((await sessions.client(jar).user.me()).email).toBe(email);
  await sessions.signOut(jar);
  expect(await sessions.refresh(jar)).toBeUndefined();
  await expect(sessions.client(jar).user.me()).rejects.toMatchObject({ status: 401 });
});

/** Replaces the cookie by that of a session whose access token has expired. */
function expire(jar: CookieJar) {
  const expired = (token: string) => {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const body = Buffer.from(JSON.stringify({ ...claims, exp: 1 })).toString("base64url");
    return token.replace(/\.[^.]+\./, `.${body}.`);
  };
  const session = JSON.parse(decodeURIComponent(jar.get("__Host-boards")?.value ?? ""));
  const value = JSON.stringify({ ...session, accessToken: expired(session.accessToken) });
  const options = { httpOnly: true, secure: true, sameSite: "lax", path: "/", maxAge: 1 } as const;
  jar.set("__Host-boards", encodeURIComponent(value), options);
}

test("simultaneous requests renew a session once, also those with the old cookie", async () => {
  const { sessions, jar, copy, email } = await signedIn();
  expire(jar);
  const old = [copy(), copy(), copy()];
  requests.length = 0;
  const tokens = await Promise.all([jar, ...old].map((one) => sessions.refresh(one)));
  expect(requests).toEqual(["/api/v1/auth/refresh"]);
  expect(new Set(tokens).size).toBe(1);
  expect((await sessions.client(jar).user.me()).email).toBe(email);
});

test("for ten seconds, any process answers requests that still have the old cookie", async () => {
  const { sessions, jar, copy } = await signedIn();
  const elsewhere = sessionCookies({ url: server.url });
  expire(jar);
  const [late, stolen] = [copy(), copy()];
  await sessions.refresh(jar);
  app().advance(10_000);
  expect(await elsewhere.refresh(late)).toBeDefined();
  expect((await sessions.client(late).user.me()).name).toBe("Ada");
  // Later it counts as a copy: the session ends.
  app().advance(1);
  expect(await sessions.refresh(stolen)).toBeUndefined();
  await expect(sessions.client(jar).user.me()).rejects.toMatchObject({ status: 401 });
});

test.each(["?cursor=now", ""])(
  "a call%s that renews the session is redirected to itself before it reaches the service",
  async (search) => {
    const { sessions, jar, copy } = await signedIn();
    expire(jar);
    const old = copy();
    const path = "/api/v1/workspaces";
    const type = { "Content-Type": "application/json" };
    const init = { method: "POST", headers: type, body: "{}" };
    const call = (from: CookieJar) =>
      sessions.forward(new Request(`${bff}${path}${search}`, init), from, { path });
    requests.length = 0;
    const { status, headers } = await call(jar);
    const address = new URL(headers.get("Location") ?? "", `${bff}${path}${search}`);
    expect([status, address.href.replace(/\?$/, "")]).toEqual([307, `${bff}${path}${search}`]);
    expect(requests).toEqual(["/api/v1/auth/refresh"]);
    // Also a call that is sent with the old cookie meanwhile, at another process.
    const elsewhere = sessionCookies({ url: server.url });
    const request = new Request(`${bff}${path}`);
    expect((await elsewhere.forward(request, old, { path })).status).toBe(307);
    // With the new cookie both are forwarded: this one has no name.
    expect((await call(jar)).status).toBe(400);
    expect((await call(old)).status).toBe(400);
  },
);

test("a call is not redirected without a session, with a current one, or with one that has ended", async () => {
  const { sessions, jar, copy } = await signedIn();
  const path = "/api/v1/users/me";
  const call = (from: CookieJar) => sessions.forward(new Request(`${bff}${path}`), from, { path });
  expect((await call(newJar().jar)).status).toBe(401);
  expect((await call(jar)).status).toBe(200);
  expire(jar);
  const ended = copy();
  await sessions.signOut(jar);
  expect((await call(ended)).status).toBe(401);
  expect(ended.get("__Host-boards")?.value).toBe("");
});

test("a sign-out ends the session of an expired token, and works without the service", async () => {
  const { sessions, jar, copy } = await signedIn();
  expire(jar);
  const stolen = copy();
  await sessions.signOut(jar);
  expect(await sessions.refresh(jar)).toBeUndefined();
  expect(await sessionCookies({ url: server.url }).refresh(stolen)).toBeUndefined();
  const away = sessionCookies({ url: unreachable });
  const other = await signedIn();
  expire(other.jar);
  await away.signOut(other.jar);
  expect(other.jar.get("__Host-boards")?.value).toBe("");
});

test("an invalid session cookie is ignored", async () => {
  const sessions = sessionCookies({ url: server.url });
  const { jar } = newJar();
  const accessToken = `e30.${btoa('{"exp":1}')}.e30`;
  const long = JSON.stringify({ accessToken, refreshToken: "a".repeat(300) });
  for (const value of ["", "%", "5", "null", "{}", '{"accessToken":"a","refreshToken":5}', long]) {
    jar.set("__Host-boards", encodeURIComponent(value), {} as never);
    expect(await sessions.refresh(jar)).toBeUndefined();
  }
});

test("visitors with addresses have limits of their own", async () => {
  const env = { AUTH_RATE_LIMIT: "1", TRUST_PROXY: "1" };
  const strict = await startApp({ env });
  const limited = await listen((request) => strict.fetch(request));
  onTestFinished(async () => {
    await limited.close();
    await strict.close();
  });
  const sessions = sessionCookies({ url: limited.url });
  const { jar } = newJar();
  const password = "a password for tests";
  const register = (nth: number, address: string) =>
    sessions.register(
      jar,
      { email: `limit-${nth}@example.com`, password, name: "Ada" },
      { address },
    );
  for (let nth = 0; nth < 10; nth++) await register(nth, "198.51.100.1");
  await expect(register(10, "198.51.100.1")).rejects.toMatchObject({ status: 429 });
  await register(11, "198.51.100.2");
  const token = await sessions.refresh(jar);
  const path = "/api/v1/auth/password/reset";
  const reset = (address: string) => {
    const body = JSON.stringify({ token: "guess", newPassword: "a long password" });
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    return forward(new Request(`${bff}${path}`, init), { url: limited.url, path, token, address });
  };
  expect((await reset("198.51.100.1")).status).toBe(429);
  expect((await reset("198.51.100.2")).status).toBe(400);
  await sessions.signIn(jar, { email: "limit-11@example.com", password }, { address: "::1" });
});

/** An address at which no service listens. */
const unreachable = "http://127.0.0.1:9";

test("while the service is away a call is 503, and a sign-in NETWORK_ERROR", async () => {
  const request = () => new Request(`${bff}/api/v1/workspaces`, { method: "POST", body: "{}" });
  const path = "/api/v1/workspaces";
  const { jar } = await signedIn();
  expire(jar);
  const away = sessionCookies({ url: unreachable });
  const responses = [
    await forward(request(), { url: unreachable, path, token: undefined }),
    await forward(request(), { url: server.url, path, token: away.refresh(jar) }),
  ];
  for (const response of responses) {
    const message = "The service cannot be reached.";
    const body = { code: "SERVICE_UNAVAILABLE", message, issues: [] };
    expect([response.status, await jsonOf(response)]).toEqual([503, body]);
  }
  const account = { email: "ada@example.com", password: "a password for tests" };
  await expect(away.signIn(jar, account)).rejects.toMatchObject({ code: "NETWORK_ERROR" });
});

test("a request that the browser has aborted is not answered", async () => {
  const request = new Request(`${bff}/api/v1/workspaces`, { signal: AbortSignal.abort() });
  const sent = forward(request, { url: server.url, path: "/api/v1/workspaces", token: undefined });
  await expect(sent).rejects.toThrow("aborted");
});

const jsonOf = async (response: Response): Promise<any> => response.json();

const bff = "https://app.example.com/bff";
const send = (init: RequestInit & { path?: string }, token: string | undefined) => {
  const { path = "/api/v1/workspaces", ...rest } = init;
  return forward(new Request(`${bff}${path}`, rest), { url: server.url, path, token });
};

test("requests of the page are forwarded with the token, without cookies", async () => {
  const { sessions, jar } = await signedIn();
  const token = await sessions.refresh(jar);
  const headers = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" };
  const body = JSON.stringify({ name: "Engines" });
  const made = await send({ method: "POST", headers, body }, token);
  expect([made.status, (await jsonOf(made)).name]).toEqual([200, "Engines"]);
  const list = await send({ headers: { Cookie: "a=b" } }, token);
  expect([list.status, (await jsonOf(list)).length]).toEqual([200, 1]);
  expect((await send({}, undefined)).status).toBe(401);
});

test("a write of another site is 403, and a path elsewhere is refused", async () => {
  const { sessions, jar } = await signedIn();
  const token = await sessions.refresh(jar);
  for (const headers of [
    { "Sec-Fetch-Site": "cross-site" },
    { Origin: "https://evil.example" },
    { Origin: "null" },
  ]) {
    expect((await send({ method: "POST", headers, body: "{}" }, token)).status).toBe(403);
  }
  for (const path of ["@evil.example/api/v1/x", "/metrics", "/api/v1/../../metrics"]) {
    const request = new Request(bff);
    await expect(forward(request, { url: server.url, path, token })).rejects.toThrow(
      "is not below",
    );
  }
});
