import { afterEach, expect, test, vi } from "vitest";
import { createClient, localStore, newPublicId } from "../../src/client/index.ts";
import { exclusive } from "../../src/client/session-store.ts";
import { useApp } from "../support/app.ts";

const app = useApp();
afterEach(() => vi.unstubAllGlobals());

const refuse = () => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};

/** Sets the `localStorage` of the platform; a function is called when it is read. */
function setStorage(get: () => unknown) {
  vi.stubGlobal("localStorage", undefined);
  Object.defineProperty(globalThis, "localStorage", { get, configurable: true });
}

/** A storage that refuses to write, with what was written before. */
const full = (values: Map<string, string>) => ({
  getItem: (key: string) => values.get(key) ?? null,
  setItem: refuse,
  removeItem: (key: string) => values.delete(key),
});

test.each([
  ["no localStorage", () => undefined],
  ["a localStorage that throws when it is read", refuse],
  ["a localStorage that is full", () => full(new Map())],
  ["a localStorage whose functions throw", () => ({ getItem: refuse, setItem: refuse })],
])("a session stays in memory with %s", async (_, get) => {
  setStorage(get);
  const warnings: string[] = [];
  const client = createClient({
    url: "http://boards.test",
    auth: { storage: "local" },
    onWarning: (message) => warnings.push(message),
    fetch: async (address, init) => app().fetch(new Request(address, init)),
  });
  expect(await client.account.isSignedIn()).toBe(false);
  expect(warnings).toEqual([]);
  const email = `private-${newPublicId()}@example.com`;
  await client.account.register({ email, password: "a password for tests", name: "Ada" });
  app().advance(16 * 60_000);
  expect((await client.user.me()).email).toBe(email);
  expect(warnings).toEqual(["The session is not stored: it ends when the page is closed."]);
  await client.account.signOut();
  expect(await client.account.isSignedIn()).toBe(false);
});

test("tokens that were used are not left in a full storage", async () => {
  const values = new Map([["session", JSON.stringify({ accessToken: "a", refreshToken: "b" })]]);
  setStorage(() => full(values));
  const store = localStore("session", () => undefined);
  await store.save({ accessToken: "c", refreshToken: "d" });
  expect(await store.load()).toEqual({ accessToken: "c", refreshToken: "d" });
  expect([...values]).toEqual([]);
});

test.each([
  ["no locks", {}],
  ["locks that throw", { locks: { request: refuse } }],
  ["locks that reject", { locks: { request: async () => refuse() } }],
])("functions run one at a time with %s", async (_, navigator) => {
  vi.stubGlobal("navigator", navigator);
  let running = 0;
  const run = async () => {
    expect(++running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return --running;
  };
  expect(await Promise.all([1, 2, 3].map(() => exclusive("name", run)))).toEqual([0, 0, 0]);
});

test("the failure of a function is its caller's, and it runs once", async () => {
  const request = async (_: string, run: () => Promise<unknown>) => run();
  vi.stubGlobal("navigator", { locks: { request } });
  let count = 0;
  const failing = exclusive("name", async () => {
    count++;
    throw new Error("failed");
  });
  await expect(failing).rejects.toThrow("failed");
  expect(count).toBe(1);
});
