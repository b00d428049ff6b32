import { afterAll, beforeAll, expect, test } from "vitest";
import { newPublicId } from "../../../src/client/index.ts";
import { forward, sessionCookies, type CookieJar } from "../../../src/client/server/index.ts";
import { useApp } from "../../support/app.ts";
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

test("simultaneous requests renew a session once, also those with the old cookie", async () => {
  const { sessions, jar, copy, email } = await signedIn();
  // The cookie of a session whose access token has expired.
  const expired = (token: string) => {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const body = Buffer.from(JSON.stringify({ ...claims, exp: 1 })).toString("base64url");
    return token.replace(/\.[^.]+\./, `.${body}.`);
  };
  const session = JSON.parse(decodeURIComponent(jar.get("__Host-boards")?.value ?? ""));
  const value = JSON.stringify({ ...session, accessToken: expired(session.accessToken) });
  const options = { httpOnly: true, secure: true, sameSite: "lax", path: "/", maxAge: 1 } as const;
  jar.set("__Host-boards", encodeURIComponent(value), options);
  const old = [copy(), copy(), copy()];
  requests.length = 0;
  const tokens = await Promise.all([jar, ...old].map((one) => sessions.refresh(one)));
  expect(requests).toEqual(["/api/v1/auth/refresh"]);
  expect(new Set(tokens).size).toBe(1);
  expect((await sessions.client(jar).user.me()).email).toBe(email);
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
  for (const headers of [{ "Sec-Fetch-Site": "cross-site" }, { Origin: "https://evil.example" }]) {
    expect((await send({ method: "POST", headers, body: "{}" }, token)).status).toBe(403);
  }
  for (const path of ["@evil.example/api/v1/x", "/metrics", "/api/v1/../../metrics"]) {
    const request = new Request(bff);
    await expect(forward(request, { url: server.url, path, token })).rejects.toThrow(
      "is not below",
    );
  }
});
