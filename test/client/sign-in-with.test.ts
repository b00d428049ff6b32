import { afterAll, expect, test } from "vitest";
import { createClient, isError, type SignInStorage } from "../../src/client/index.ts";
import { sessionCookies, type CookieJar } from "../../src/client/server/index.ts";
import { publicId } from "../../src/platform/db/public-id.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { useApp } from "../support/app.ts";
import { listen } from "../support/listen.ts";
import { makeUser } from "../support/make.ts";
import { startSignInProvider } from "../support/sign-in-provider.ts";

const provider = await startSignInProvider();
afterAll(() => provider.stop());
const returnUrl = "https://app.example.com/signed-in?tab=1";
const app = useApp({
  env: {
    RETURN_URLS: "https://app.example.com",
    SIGN_IN_PROVIDERS: JSON.stringify([
      { kind: "google", clientId: "boards", clientSecret: "a secret", issuer: provider.url },
    ]),
  },
});
const password = "a password for tests";

/** What a page keeps. */
function newStorage(): SignInStorage & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const connect = () =>
  createClient({
    url: "http://boards.test",
    fetch: (address, init) => app().fetch(new Request(address, init)),
  });

/** Where the browser returns to after a person has signed in. */
async function signedIn(url: string, email: string): Promise<string> {
  const back = provider.signIn(url, { sub: publicId(), email, email_verified: true, name: "Ada" });
  const request = new Request(`${app().deps.baseUrl}${back.pathname}${back.search}`);
  return (await app().fetch(request)).headers.get("location") ?? "";
}

/** Leaves a page, and returns to it. */
async function comeBack(client: ReturnType<typeof connect>, email: string) {
  const storage = newStorage();
  let opened = "";
  const open = (url: string) => void (opened = url);
  await client.account.signInWith("google", { returnUrl, storage, open });
  return { storage, address: await signedIn(opened, email) };
}

test("a page signs in through a provider, and keeps nothing of it", async () => {
  const client = connect();
  const email = `${publicId()}@example.com`;
  const { storage, address } = await comeBack(client, email);
  expect(address).toMatch(/^https:\/\/app\.example\.com\/signed-in\?tab=1&result=/);
  expect(await client.account.finishSignIn({ storage, address: returnUrl })).toBeNull();
  const user = await client.account.finishSignIn({ storage, address });
  expect([user?.email, (await client.user.me()).email]).toEqual([email, email]);
  expect(storage.kept.size).toBe(0);
  expect(await client.account.finishSignIn({ storage, address })).toBeNull();
});

test("the result of another page is ignored", async () => {
  const client = connect();
  const { address } = await comeBack(client, `${publicId()}@example.com`);
  expect(await client.account.finishSignIn({ storage: newStorage(), address })).toBeNull();
});

test("what the provider refused is an error, once", async () => {
  const client = connect();
  const { storage } = await comeBack(client, `${publicId()}@example.com`);
  const address = `${returnUrl}&error=access_denied`;
  const denied = client.account.finishSignIn({ storage, address });
  await expect(denied).rejects.toSatisfy((error) => isError(error, "access_denied"));
  expect(await client.account.finishSignIn({ storage, address })).toBeNull();
});

test("an account with the address is signed in to first, and linked then", async () => {
  const client = connect();
  const owner = await makeUser(app());
  await app().db.write(
    sql`UPDATE users SET "emailVerifiedAt" = now() WHERE email = ${owner.email}`,
  );
  const { storage, address } = await comeBack(client, owner.email);
  const finished = client.account.finishSignIn({ storage, address });
  await expect(finished).rejects.toSatisfy((error) => isError(error, "link_required"));
  await client.account.signIn({ email: owner.email, password });
  const identity = await client.account.linkSignIn({ password }, { storage });
  expect(identity?.provider).toBe("google");
  expect(storage.kept.size).toBe(0);
  expect(await client.account.linkSignIn({ password }, { storage })).toBeNull();
  const { publicId: identityPublicId = "" } = identity ?? {};
  await client.signIn.unlink({ identityPublicId });
  expect(await client.signIn.identities()).toEqual([]);
});

test("a server begins and finishes for its page, with the secret in a cookie", async () => {
  const server = await listen(app().fetch);
  try {
    const sessions = sessionCookies({ url: `http://127.0.0.1:${server.port}` });
    const cookies = new Map<string, string>();
    const jar: CookieJar = {
      get: (name) => {
        const value = cookies.get(name);
        return value === undefined ? undefined : { value };
      },
      set: (name, value, { maxAge }) =>
        maxAge === 0 ? cookies.delete(name) : cookies.set(name, value),
    };
    const email = `${publicId()}@example.com`;
    const url = await sessions.signInWith(jar, { provider: "google", returnUrl });
    const result = new URL(await signedIn(url, email)).searchParams.get("result") ?? "";
    const another: CookieJar = { get: () => undefined, set: () => undefined };
    await expect(sessions.finishSignIn(another, result)).rejects.toMatchObject({ status: 400 });
    expect((await sessions.finishSignIn(jar, result)).email).toBe(email);
    expect([...cookies.keys()]).toEqual(["__Host-boards"]);
    expect((await sessions.client(jar).user.me()).email).toBe(email);
  } finally {
    await server.close();
  }
});
