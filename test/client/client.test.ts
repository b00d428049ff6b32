import { createTRPCClient } from "@trpc/client";
import { expect, test } from "vitest";
import {
  type BoardServiceError,
  createClient,
  isError,
  isNotFound,
  isOffline,
  isOutOfDate,
  memoryStore,
  newPublicId,
  paginate,
  type AppRouter,
  type ClientOptions,
} from "../../src/client/index.ts";
import { useApp } from "../support/app.ts";

const app = useApp();

const url = "http://boards.test";
let count = 0;

/** A client whose requests go to the app, through a network that a test may interrupt. */
function connect(options: Partial<ClientOptions> = {}) {
  const requests: Request[] = [];
  let fails: (request: Request) => Promise<Response | undefined> = async () => undefined;
  const client = createClient({
    url,
    async fetch(address, init) {
      const request = new Request(address, init);
      requests.push(request.clone());
      const response = await fails(request.clone());
      request.signal.throwIfAborted();
      return response ?? app().fetch(request);
    },
    ...options,
  });
  return {
    client,
    requests,
    interrupt(next: typeof fails) {
      fails = next;
    },
  };
}

/** A client of a new user, with a board of two lists. */
async function withBoard() {
  const connection = connect();
  const { client } = connection;
  const user = await client.account.register({
    email: `client-${++count}-${newPublicId()}@example.com`,
    password: "a password for tests",
    name: "Ada",
  });
  const { publicId: workspacePublicId } = await client.workspace.create({ name: "Engines" });
  const board = await client.board.create({
    workspacePublicId,
    name: "Website",
    lists: ["To do", "Done"],
  });
  const [listPublicId = ""] = board.lists.map(({ publicId }) => publicId);
  return { ...connection, user, workspacePublicId, board, listPublicId };
}

test("calls every operation as a function, after one registration", async () => {
  const { client, listPublicId, board } = await withBoard();
  const card = await client.card.create({ listPublicId, title: "Plant the tree" });
  const { lists } = await client.board.get({ boardPublicId: board.publicId });
  expect(lists[0]?.cards.map(({ title }) => title)).toEqual(["Plant the tree"]);
  await expect(client.card.get({ cardPublicId: card.publicId })).resolves.toMatchObject({
    title: "Plant the tree",
  });
});

test("queries of the same moment share a request", async () => {
  const { client, requests, board } = await withBoard();
  const before = requests.length;
  await Promise.all([
    client.workspace.list(),
    client.user.me(),
    client.board.get({ boardPublicId: board.publicId }),
  ]);
  expect(requests.length - before).toBe(1);
});

test("throws errors with code, issues and request id", async () => {
  const { client, listPublicId } = await withBoard();
  const missing = client.card.get({ cardPublicId: newPublicId() });
  await expect(missing).rejects.toSatisfy(isNotFound);
  await expect(missing).rejects.toSatisfy((error) => isError(error, "card_not_found"));
  await expect(missing).rejects.toMatchObject({ status: 404, requestId: expect.any(String) });
  await expect(client.card.create({ listPublicId, title: "" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
    issues: [{ path: ["title"] }],
  });
});

test("each error has issues with paths, and the sentence of the first as its message", async () => {
  const { client, listPublicId, workspacePublicId } = await withBoard();
  const other = await withBoard();
  const file = new File(["text"], "a.txt");
  const boardPublicId = newPublicId();
  const operations = [{ operation: "card.create" as const, input: { listPublicId, title: "" } }];
  const failures = {
    400: () => client.card.create({ listPublicId, title: "" }),
    "400 of a batch": () => client.workspace.batch({ workspacePublicId, operations }),
    401: () => client.auth.login({ email: "nobody@example.com", password: "a wrong password" }),
    403: () => other.client.member.list({ workspacePublicId }),
    404: () => client.board.get({ boardPublicId }),
    "404 over REST": () => client.upload(newPublicId(), file),
    409: () => client.card.create({ listPublicId, title: "A", beforeCardPublicId: newPublicId() }),
    412: () => client.workspace.update({ workspacePublicId, name: "B" }, { ifVersion: 99 }),
  };
  for (const [name, call] of Object.entries(failures)) {
    const error: unknown = await call().catch((failure: unknown) => failure);
    if (!isError(error)) throw new Error(`${name} did not fail.`);
    expect(`${error.status}`).toBe(name.slice(0, 3));
    expect([name, error.issues.map(({ path }) => Array.isArray(path))]).toEqual([
      name,
      error.issues.map(() => true),
    ]);
    expect(error.issues.length).toBeGreaterThan(0);
    expect(error.message).toBe(error.issues[0]?.message);
  }
});

test("an error has all that the service says of it, also which operation of a batch failed", async () => {
  const { client, interrupt, listPublicId, workspacePublicId } = await withBoard();
  let said: Record<string, unknown> = {};
  interrupt(async (request) => {
    const response = await app().fetch(request);
    const { error } = (await response.clone().json()) as { error: { data: typeof said } };
    said = error.data;
    return response;
  });
  const batch = client.workspace.batch({
    workspacePublicId,
    operations: ["One", ""].map((title) => ({
      operation: "card.create" as const,
      input: { listPublicId, title },
    })),
  });
  const error: unknown = await batch.catch((failure: unknown) => failure);
  const { httpStatus, path, message, ...others } = said;
  expect([path, others["failedAt"]]).toEqual(["workspace.batch", 1]);
  expect(error).toMatchObject({ status: httpStatus, ...others });
  // The sentence for people, not that of the code.
  expect(message).toBe("Invalid input data");
  expect(error).toMatchObject({ message: (error as BoardServiceError).issues[0]?.message });
  const card = client.card.create({ listPublicId, title: "" });
  await expect(card).rejects.toMatchObject({ failedAt: undefined });
});

test("an outdated `ifVersion` changes nothing", async () => {
  const { client, board } = await withBoard();
  const { publicId: boardPublicId } = board;
  await client.board.update({ boardPublicId, name: "First" }, { ifVersion: 1 });
  const second = client.board.update({ boardPublicId, name: "Second" }, { ifVersion: 1 });
  await expect(second).rejects.toSatisfy(isOutOfDate);
  expect((await client.board.get({ boardPublicId })).name).toBe("First");
});

test("a write whose response is lost is repeated and has one effect", async () => {
  const { client, interrupt, listPublicId, board } = await withBoard();
  let lost = 0;
  interrupt(async (request) => {
    if (request.method !== "POST" || lost++ > 1) return undefined;
    await app().fetch(request);
    throw new TypeError("connection reset");
  });
  await client.card.create({ listPublicId, title: "Once" });
  expect(lost).toBe(3);
  const { lists } = await client.board.get({ boardPublicId: board.publicId });
  expect(lists[0]?.cards).toHaveLength(1);
});

test("waits as `Retry-After` asks, and repeats no other 4xx", async () => {
  const { client, interrupt, requests, listPublicId } = await withBoard();
  let isBusy = true;
  interrupt(async () => {
    const busy = isBusy;
    isBusy = false;
    return busy ? new Response("{}", { status: 503, headers: { "Retry-After": "0" } }) : undefined;
  });
  await client.user.me();
  const before = requests.length;
  await expect(client.card.create({ listPublicId, title: "" })).rejects.toThrow();
  expect(requests.length - before).toBe(1);
});

test("a `Retry-After` of more than a minute is an error at once", async () => {
  let attempts = 0;
  const { client } = connect({
    async fetch() {
      attempts++;
      const body = { code: "TOO_MANY_REQUESTS", message: "Too many requests" };
      return Response.json(body, { status: 429, headers: { "Retry-After": "900" } });
    },
  });
  const signIn = client.account.signIn({ email: "me@example.com", password: "wrong password" });
  await expect(signIn).rejects.toMatchObject({ status: 429 });
  expect(attempts).toBe(1);
});

test("a service that cannot be reached is an error after the last attempt", async () => {
  const { client, requests } = connect({
    retries: 1,
    fetch: () => Promise.reject(new TypeError("refused")),
  });
  await expect(client.user.me()).rejects.toSatisfy(isOffline);
  expect(requests).toHaveLength(0);
});

test("an aborted call throws the reason of its signal", async () => {
  const { client, interrupt } = await withBoard();
  interrupt(() => Promise.reject(new TypeError("refused")));
  const reason = new Error("the page is left");
  const signal = AbortSignal.abort(reason);
  await expect(client.user.me(undefined, { signal })).rejects.toBe(reason);
});

test("an expired access token is renewed once for all calls", async () => {
  const { client, requests } = await withBoard();
  app().advance(16 * 60_000);
  const before = requests.length;
  const calls = Array.from({ length: 5 }, () => client.workspace.create({ name: "Later" }));
  await Promise.all(calls);
  const renewals = requests.slice(before).filter((request) => request.url.endsWith("/refresh"));
  expect(renewals).toHaveLength(1);
});

test("two clients with one store share its session", async () => {
  const storage = memoryStore();
  const [one, two] = [connect({ auth: { storage } }), connect({ auth: { storage } })];
  const email = `shared-${newPublicId()}@example.com`;
  await one.client.account.register({ email, password: "a password for tests", name: "Ada" });
  app().advance(16 * 60_000);
  await Promise.all([one.client.user.me(), two.client.user.me()]);
  expect((await two.client.user.me()).email).toBe(email);
});

test("the error of a gateway's 5xx page has its status, for reads and writes", async () => {
  const { client, interrupt } = connect({ auth: { token: "a token" }, retries: 0 });
  interrupt(async () => new Response("<h1>Bad Gateway</h1>", { status: 502 }));
  const expected = { name: "BoardServiceError", status: 502, code: "HTTP_ERROR" };
  const cardPublicId = newPublicId();
  await expect(client.card.get({ cardPublicId })).rejects.toMatchObject(expected);
  await expect(client.card.update({ cardPublicId })).rejects.toMatchObject(expected);
});

test("an ended session signs out", async () => {
  let signedOut = 0;
  const storage = memoryStore({ accessToken: "unknown", refreshToken: "unknown" });
  const { client } = connect({ auth: { storage }, onSignedOut: () => void signedOut++ });
  await expect(client.user.me()).rejects.toMatchObject({ status: 401 });
  expect(signedOut).toBe(1);
  expect(await client.account.isSignedIn()).toBe(false);
});

test("the 401 of a gateway does not end the session", async () => {
  let signedOut = 0;
  const storage = memoryStore({ accessToken: "unknown", refreshToken: "unknown" });
  const { client, interrupt } = connect({ auth: { storage }, onSignedOut: () => void signedOut++ });
  interrupt(async ({ url: address }) =>
    address.endsWith("/refresh") ? new Response("Unauthorized", { status: 401 }) : undefined,
  );
  await expect(client.user.me()).rejects.toMatchObject({ status: 401 });
  expect(signedOut).toBe(0);
  expect(await client.account.isSignedIn()).toBe(true);
});

test("a sign-out without a connection removes the session", async () => {
  let signedOut = 0;
  const storage = memoryStore();
  const onSignedOut = () => void signedOut++;
  const { client, interrupt } = connect({ auth: { storage }, onSignedOut, retries: 0 });
  const email = `offline-${newPublicId()}@example.com`;
  await client.account.register({ email, password: "a password for tests", name: "Ada" });
  interrupt(() => Promise.reject(new TypeError("refused")));
  await expect(client.account.signOut()).rejects.toSatisfy(isOffline);
  expect([await storage.load(), signedOut]).toEqual([null, 1]);
});

test("a token that cannot be read is a failure of the network", async () => {
  const cause = new Error("The identity provider is away.");
  const { client } = connect({ auth: { token: () => Promise.reject(cause) } });
  await expect(client.user.me()).rejects.toSatisfy(isOffline);
  await expect(client.readBoards(newPublicId())).rejects.toSatisfy(isOffline);
});

test("writes of other tRPC clients over `links` are repeated and have one effect", async () => {
  const { client, interrupt, listPublicId, board } = await withBoard();
  let lost = 0;
  interrupt(async (request) => {
    if (request.method !== "POST" || lost++ > 0) return undefined;
    await app().fetch(request);
    throw new TypeError("connection reset");
  });
  const other = createTRPCClient<AppRouter>({ links: client.links });
  await other.card.create.mutate({ listPublicId, title: "Once" });
  const { lists } = await client.board.get({ boardPublicId: board.publicId });
  expect(lists[0]?.cards).toHaveLength(1);
});

test("a large file may take longer than `timeoutMs`", async () => {
  const { client, listPublicId } = await withBoard();
  const card = await client.card.create({ listPublicId, title: "With a file" });
  const { key } = await client.auth.createApiKey({ name: "a", password: "a password for tests" });
  const slow = connect({ auth: { token: key }, timeoutMs: 50, retries: 0 });
  // The body is sent before the response starts.
  slow.interrupt(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return undefined;
  });
  const file = new Blob([new Uint8Array(1_000_000)]);
  const { size } = await slow.client.upload(card.publicId, file, { filename: "large" });
  expect(size).toBe(1_000_000);
  await expect(slow.client.user.me()).rejects.toSatisfy(isOffline);
});

test("an API key is a token", async () => {
  const { client } = await withBoard();
  const { key } = await client.auth.createApiKey({
    name: "Script",
    password: "a password for tests",
  });
  const script = connect({ auth: { token: () => key } });
  expect(await script.client.workspace.list()).toHaveLength(1);
});

test("paginate iterates over all pages", async () => {
  const { client, listPublicId, board } = await withBoard();
  for (const title of ["A", "B", "C"]) await client.card.create({ listPublicId, title });
  const titles: string[] = [];
  for await (const card of paginate(client.board.cards, {
    boardPublicId: board.publicId,
    limit: 2,
  })) {
    titles.push(card.title);
  }
  expect(titles.toSorted()).toEqual(["A", "B", "C"]);
});

test("uploads and downloads a file, with progress", async () => {
  const { client, listPublicId } = await withBoard();
  const card = await client.card.create({ listPublicId, title: "With a file" });
  const file = new Blob(["hello"], { type: "text/plain" });
  const attachment = await client.upload(card.publicId, file, { filename: "hello.txt" });
  expect(attachment).toMatchObject({ filename: "hello.txt", size: 5 });
  expect(await (await client.download(attachment.publicId)).text()).toBe("hello");
});

test("signs the URL of a file once while it is valid", async () => {
  const { client, requests, listPublicId } = await withBoard();
  const card = await client.card.create({ listPublicId, title: "With a file" });
  const attachment = await client.upload(card.publicId, new Blob(["hello"]), { filename: "a.txt" });
  const before = requests.length;
  const signed = await client.fileUrl(attachment);
  expect(await client.fileUrl(attachment.publicId)).toBe(signed);
  expect(requests.length - before).toBe(1);
  expect(await (await app().fetch(new Request(signed))).text()).toBe("hello");
});

test("public ids have the format of the service", () => {
  const ids = new Set(Array.from({ length: 1_000 }, newPublicId));
  expect(ids.size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-z]{12}$/);
});
