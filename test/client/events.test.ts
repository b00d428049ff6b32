import { expect, onTestFinished, test } from "vitest";
import { createClient, type EventOptions } from "../../src/client/index.ts";
import { useApp } from "../support/app.ts";
import { makeBoard, makeWorkspace } from "../support/make.ts";

const app = useApp();

/**
 * Follows a workspace; `cut` ends the connection, `refuse` answers streams with an empty body.
 * The next streams get the `answers`.
 */
async function follow(options: EventOptions = {}) {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  let connection = new AbortController();
  let isRefused = false;
  const responses: Response[] = [];
  const client = createClient({
    url: "http://boards.test",
    auth: { token: workspace.admin.token },
    retries: 0,
    async fetch(address, init) {
      const isStream = address.includes("/stream");
      const answer = isStream ? responses.shift() : undefined;
      if (answer !== undefined) return answer;
      if (isStream && isRefused) return new Response(null);
      connection = new AbortController();
      const signals = init?.signal ? [init.signal, connection.signal] : [connection.signal];
      const signal = AbortSignal.any(isStream ? signals : signals.slice(0, -1));
      const response = await app().fetch(new Request(address, { ...init, signal }));
      return isStream && response.body !== null ? cuttable(response, connection.signal) : response;
    },
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const states: string[] = [];
  let live = () => {};
  const isConnected = new Promise<void>((resolve) => (live = resolve));
  const events = client.events(workspace.publicId, {
    ...options,
    signal: stop.signal,
    onConnection(state) {
      states.push(state);
      if (state !== "lost") live();
    },
  });
  return {
    workspace,
    board,
    events,
    states,
    isConnected,
    responses,
    cut: () => connection.abort(),
    refuse: () => (isRefused = true),
    create: (name: string) =>
      workspace.admin.rest.post("/lists", { boardPublicId: board.publicId, name }),
  };
}

/** A response whose body fails when the signal is aborted. */
function cuttable(response: Response, signal: AbortSignal): Response {
  const body = response.body?.pipeThrough(new TransformStream(), { signal });
  return new Response(body, response);
}

/** The names of the next lists that are created. */
async function names(events: AsyncGenerator<{ type: string; data: unknown }>, count: number) {
  const found: string[] = [];
  while (found.length < count) {
    const { value } = await events.next();
    const { list } = value.data as { list: { name: string } };
    found.push(list.name);
  }
  return found;
}

test("events arrive live and in order, without gaps after an interruption", async () => {
  const { events, isConnected, create, cut, states } = await follow({ types: ["list.created"] });
  const first = names(events, 2);
  await isConnected;
  await create("One");
  await create("Two");
  expect(await first).toEqual(["One", "Two"]);
  const second = names(events, 2);
  cut();
  await create("Three");
  await create("Four");
  expect(await second).toEqual(["Three", "Four"]);
  expect(states).toEqual(["live", "lost", "live"]);
});

test("names with all separators of lines arrive", async () => {
  const { events, isConnected, create } = await follow({ types: ["list.created"] });
  const name = "one\u2028two\u2029three\u0085four";
  const next = names(events, 1);
  await isConnected;
  await create(name);
  expect(await next).toEqual([name]);
});

test.each([408, 425, 429])("events continue after a %s", async (status) => {
  const { events, isConnected, create, responses } = await follow({ types: ["list.created"] });
  responses.push(Response.json({ code: "TOO_MANY_REQUESTS", message: "Wait." }, { status }));
  const next = names(events, 1);
  await isConnected;
  await create("After");
  expect(await next).toEqual(["After"]);
  expect(responses).toEqual([]);
});

test("events continue when a proxy answers 404 while the service restarts", async () => {
  const {
    events,
    isConnected,
    create,
    cut,
    responses: answers,
  } = await follow({ types: ["list.created"] });
  const first = names(events, 1);
  await isConnected;
  await create("Before");
  expect(await first).toEqual(["Before"]);
  answers.push(new Response("404 page not found", { status: 404 }));
  const next = names(events, 1);
  cut();
  await create("After");
  expect(await next).toEqual(["After"]);
  expect(answers).toEqual([]);
});

test("where streams do not arrive, the feed is polled", async () => {
  const { events, isConnected, create, refuse, states } = await follow({ types: ["list.created"] });
  refuse();
  const next = names(events, 2);
  await isConnected;
  await create("One");
  await create("Two");
  expect(await next).toEqual(["One", "Two"]);
  expect(states).toContain("polling");
});

test("an iteration ends with its signal, although fetch goes on", async () => {
  const { publicId, admin } = await makeWorkspace(app());
  let calls = 0;
  const client = createClient({
    url: "http://boards.test",
    auth: { token: admin.token },
    async fetch(address) {
      calls++;
      const isStream = address.includes("/stream");
      return isStream ? new Response(null) : Response.json({ items: [], nextCursor: "c" });
    },
  });
  const stop = new AbortController();
  const onConnection = (state: string) => state === "polling" && stop.abort();
  const events = client.events(publicId, { signal: stop.signal, onConnection });
  expect(await events.next()).toEqual({ done: true, value: undefined });
  // The stream, and one page.
  expect(calls).toBe(2);
});

test("a workspace without access ends the iteration with its error", async () => {
  const { client } = {
    client: createClient({
      url: "http://boards.test",
      auth: { token: (await makeWorkspace(app())).admin.token },
      fetch: (address, init) => app().fetch(new Request(address, init)),
    }),
  };
  const events = client.events((await makeWorkspace(app())).publicId);
  await expect(events.next()).rejects.toMatchObject({ status: 403 });
});
