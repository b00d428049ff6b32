import { expect, onTestFinished, test, vi } from "vitest";
import {
  createClient,
  memoryStore,
  newPublicId,
  type ClientOptions,
  type Session,
} from "../../src/client/index.ts";
import { useApp } from "../support/app.ts";
import { makeUser } from "../support/make.ts";

const app = useApp();
const minute = 60_000;

/** A client with its requests: the paths, and whether they were refused. */
function connect(options: Partial<ClientOptions>) {
  const requests: string[] = [];
  const client = createClient({
    url: "http://boards.test",
    async fetch(address, init) {
      const response = await app().fetch(new Request(address, init));
      requests.push(`${new URL(address).pathname.replace(/^.*\//, "")} ${response.status}`);
      return response;
    },
    ...options,
  });
  return { client, requests };
}

/** Sets the clock of the device, while the service has its own. */
function setDeviceClock(offset: number) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offset });
  onTestFinished(() => void vi.useRealTimers());
}

/** A store that has only what it knows of a session. */
function ownStore() {
  const store = memoryStore();
  const save = (session: Session | null) => {
    const { accessToken = "", refreshToken = "" } = session ?? {};
    return store.save(session && { accessToken, refreshToken });
  };
  return { ...store, save };
}

const cases = [
  ["ahead", 24 * 60 * minute, memoryStore],
  ["behind", -24 * 60 * minute, memoryStore],
  ["ahead, with a store of two fields", 24 * 60 * minute, ownStore],
  ["behind, with a store of two fields", -24 * 60 * minute, ownStore],
] as const;

test.each(cases)("a clock that is %s renews a session once", async (_, offset, store) => {
  setDeviceClock(offset);
  const { client, requests } = connect({ auth: { storage: store() } });
  const email = `clock-${newPublicId()}@example.com`;
  await client.account.register({ email, password: "a password for tests", name: "Ada" });
  const pass = (ms: number) => {
    app().advance(ms);
    vi.advanceTimersByTime(ms);
  };
  for (let nth = 0; nth < 3; nth++) await client.user.me();
  pass(14 * minute + 45_000);
  for (let nth = 0; nth < 3; nth++) await client.user.me();
  expect(requests).toEqual([
    "register 200",
    ...Array(3).fill("user.me 200"),
    "refresh 200",
    ...Array(3).fill("user.me 200"),
  ]);
});

test("`onSignedOut` is called once when a token is refused, and again after a success", async () => {
  const { token } = await makeUser(app());
  let current = token;
  const onSignedOut = vi.fn<() => void>();
  const { client } = connect({ auth: { token: () => current }, onSignedOut });
  const call = async () => client.user.me().catch(({ status }: { status: number }) => status);
  await call();
  expect(onSignedOut).not.toHaveBeenCalled();
  current = "refused";
  expect(await Promise.all([call(), client.workspace.list().catch(() => 0), call()])).toEqual([
    401, 0, 401,
  ]);
  expect(await call()).toBe(401);
  expect(onSignedOut).toHaveBeenCalledTimes(1);
  current = token;
  await call();
  current = "refused";
  await call();
  expect(onSignedOut).toHaveBeenCalledTimes(2);
});

test("`onSignedOut` is called for cookies, with calls, events and files", async () => {
  const uses = [
    ({ client }: ReturnType<typeof connect>) => client.user.me(),
    ({ client }: ReturnType<typeof connect>) => client.events(newPublicId()).next(),
    ({ client }: ReturnType<typeof connect>) => client.download(newPublicId()),
  ];
  for (const use of uses) {
    const onSignedOut = vi.fn<() => void>();
    const connection = connect({ auth: { cookie: true }, onSignedOut });
    await expect(use(connection)).rejects.toMatchObject({ status: 401 });
    expect(onSignedOut).toHaveBeenCalledTimes(1);
  }
});

test("`onSignedOut` is not called for a wrong password, or for the 401 of a gateway", async () => {
  const onSignedOut = vi.fn<() => void>();
  const { client } = connect({ auth: { cookie: true }, onSignedOut });
  const { email } = await makeUser(app());
  const signIn = client.auth.login({ email, password: "another password" });
  await expect(signIn).rejects.toMatchObject({ status: 401 });
  const { client: behind } = connect({
    auth: { cookie: true },
    onSignedOut,
    fetch: async () => new Response("Unauthorized", { status: 401 }),
  });
  await expect(behind.download(newPublicId())).rejects.toMatchObject({ status: 401 });
  expect(onSignedOut).not.toHaveBeenCalled();
});

test("`onSignedOut` is called in all tabs of a session, whichever ends it", async () => {
  const storage = memoryStore();
  const tabs = Array.from({ length: 3 }, () => {
    const onSignedOut = vi.fn<() => void>();
    return { onSignedOut, ...connect({ auth: { storage }, onSignedOut }) };
  });
  const [first, second, closed] = tabs as [(typeof tabs)[0], (typeof tabs)[0], (typeof tabs)[0]];
  const email = `tabs-${newPublicId()}@example.com`;
  await first.client.account.register({ email, password: "a password for tests", name: "Ada" });
  await second.client.user.me();
  await first.client.account.signOut();
  for (const { client } of [second, closed, second]) {
    await expect(client.user.me()).rejects.toMatchObject({ status: 401 });
  }
  const calls = tabs.map(({ onSignedOut }) => onSignedOut.mock.calls.length);
  // The third one has never had a session.
  expect(calls).toEqual([1, 1, 0]);
});

test("the signed URL of a file is not given to the next user", async () => {
  const { client } = connect({});
  const register = () =>
    client.account.register({
      email: `files-${newPublicId()}@example.com`,
      password: "a password for tests",
      name: "Ada",
    });
  await register();
  const { publicId: workspacePublicId } = await client.workspace.create({ name: "Engines" });
  const board = await client.board.create({ workspacePublicId, name: "Website", lists: ["A"] });
  const listPublicId = board.lists[0]?.publicId ?? "";
  const { publicId } = await client.card.create({ listPublicId, title: "With a file" });
  const attachment = await client.upload(publicId, new Blob(["hello"]), { filename: "a.txt" });
  await client.fileUrl(attachment);
  await client.account.signOut();
  await register();
  await expect(client.fileUrl(attachment)).rejects.toMatchObject({ status: 403 });
});
