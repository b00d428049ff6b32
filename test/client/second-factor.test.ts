import { expect, test } from "vitest";
import { createClient, isError } from "../../src/client/index.ts";
import { sessionCookies, type CookieJar } from "../../src/client/server/index.ts";
import { createSession } from "../../src/client/store/index.ts";
import { useApp } from "../support/app.ts";
import { authenticator } from "../support/authenticator.ts";
import { listen } from "../support/listen.ts";
import { makeUser } from "../support/make.ts";
import { addTotp, codeAt } from "../support/second-factor.ts";

const app = useApp();
const password = "a password for tests";

const connect = () =>
  createClient({
    url: "http://boards.test",
    fetch: (address, init) => app().fetch(new Request(address, init)),
  });

test("a sign-in that needs a second factor is finished by a code", async () => {
  const owner = await makeUser(app());
  const { secret } = await addTotp(app(), owner);
  const client = connect();
  const session = createSession(client, { outbox: "memory" });
  await expect(session.confirm({ code: "000000" })).rejects.toThrow("No sign-in waits");
  const signIn = session.signIn({ email: owner.email, password });
  await expect(signIn).rejects.toSatisfy((error) => isError(error, "second_factor_required"));
  expect(client.account.challenge?.factors).toEqual(["totp", "recovery_code"]);
  expect(await client.account.isSignedIn()).toBe(false);
  const wrong = session.confirm({ code: "not-a-code" });
  await expect(wrong).rejects.toSatisfy((error) => isError(error, "second_factor_wrong"));
  const without = session.confirm();
  await expect(without).rejects.toSatisfy((error) => isError(error, "passkeys_unavailable"));
  await session.confirm({ code: codeAt(app(), secret) });
  expect(session.get().user?.email).toBe(owner.email);
  expect(client.account.challenge).toBeUndefined();
  const { factors, recoveryCodes } = await client.secondFactor.list();
  expect([factors.length, recoveryCodes]).toEqual([1, 10]);
  await session.signOut();
});

test("a browser makes and uses a passkey", async () => {
  const owner = await makeUser(app());
  const client = connect();
  await client.account.signIn({ email: owner.email, password });
  const passkey = authenticator(new URL(app().deps.baseUrl).origin);
  const made = (value: object) => ({ toJSON: () => value });
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  const parse = (options: unknown) => options;
  Object.assign(globalThis, {
    PublicKeyCredential: {
      parseCreationOptionsFromJSON: parse,
      parseRequestOptionsFromJSON: parse,
    },
  });
  const credentials = {
    create: async ({ publicKey }: any) => made(passkey.create(publicKey.challenge)),
    get: async ({ publicKey }: any) => made(passkey.sign(publicKey.challenge)),
  };
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { credentials } });
  try {
    const added = await client.account.addPasskey({ name: "Laptop", password });
    expect([added.factor.name, added.recoveryCodes?.length]).toEqual(["Laptop", 10]);
    const other = connect();
    await expect(other.account.signIn({ email: owner.email, password })).rejects.toThrow();
    expect((await other.account.confirm()).email).toBe(owner.email);
  } finally {
    Reflect.deleteProperty(globalThis, "PublicKeyCredential");
    if (before !== undefined) Object.defineProperty(globalThis, "navigator", before);
  }
});

test("a server confirms for its page, and sets the cookie", async () => {
  const server = await listen(app().fetch);
  try {
    const owner = await makeUser(app());
    const { secret } = await addTotp(app(), owner);
    const sessions = sessionCookies({ url: `http://127.0.0.1:${server.port}` });
    const cookies = new Map<string, string>();
    const jar: CookieJar = {
      get: (name) => {
        const value = cookies.get(name);
        return value === undefined ? undefined : { value };
      },
      set: (name, value) => cookies.set(name, value),
    };
    const error = await sessions.signIn(jar, { email: owner.email, password }).catch((e) => e);
    expect(cookies.size).toBe(0);
    const { challenge } = error.issues[0].secondFactor;
    const user = await sessions.confirm(jar, { challenge, code: codeAt(app(), secret) });
    expect(user.email).toBe(owner.email);
    expect((await sessions.client(jar).user.me()).email).toBe(owner.email);
  } finally {
    await server.close();
  }
});
