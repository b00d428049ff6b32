import { expect, onTestFinished, test } from "vitest";
import { BoardServiceError } from "../../../src/client/index.ts";
import { memoryPersistence, type StoreOptions } from "../../../src/client/store/index.ts";
import { retryDelays } from "../../../src/client/store/failures.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard } from "../../support/make.ts";
import { agrees, connect, makeScene, titles } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();

const down = () => Promise.reject(new TypeError("The network is down."));

/** A board whose copy is stored, and a new store with it that cannot send changes. */
async function restarted(response: (url: string) => Response | undefined) {
  const scene = await makeScene(app());
  const outbox = memoryPersistence();
  const before = connect(app, scene.admin, { outbox });
  before.store.board(scene.board).open();
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(1));
  before.store.close();

  const tab = connect(app, scene.admin, { outbox });
  let refused = 0;
  tab.network.intercept = async ({ url }) => {
    if (url.includes("card.update")) return down();
    const found = response(url);
    if (found !== undefined) refused++;
    return found;
  };
  const mine = tab.store.board(scene.board);
  mine.open();
  await waitFor(() => expect(mine.get().status).toBe("ready"));
  mine.cards.update(scene.cards[0] ?? "", { title: "Unsent" });
  return { ...scene, ...tab, mine, refused: () => refused };
}

const failures = {
  "400": () => Response.json({ code: "BAD_REQUEST", message: "Invalid" }, { status: 400 }),
  "404 of a proxy": () => new Response("404 page not found", { status: 404 }),
  "403 of a proxy": () => new Response("Forbidden", { status: 403 }),
};

test.each(Object.entries(failures))(
  "a read that ends with %s removes neither the board nor its unsent changes",
  async (_, make) => {
    const tab = await restarted((url) => (url.includes("board.get") ? make() : undefined));
    const { store, client, mine, network, outbox, cards, refused } = tab;
    await waitFor(() => expect(refused()).toBeGreaterThan(0));
    await waitFor(() => expect(store.connection()).toBe("offline"));
    expect(mine.get().status).toBe("ready");
    expect(store.mutations().pending).toHaveLength(1);
    expect(await outbox.entries("change/")).toHaveLength(1);
    network.intercept = async () => undefined;
    // A read that succeeds shows that the connection is back: all others are tried again.
    const stop = store.card(cards[0] ?? "").subscribe(() => {});
    await agrees({ store, client }, mine);
    expect(titles(mine)?.[0]?.[0]).toBe("Unsent");
    stop();
  },
);

test("a stream that ends with the page of a proxy removes no unsent changes", async () => {
  const tab = await restarted((url) =>
    url.includes("/stream") ? failures["404 of a proxy"]() : undefined,
  );
  const { store, client, mine, network, outbox, refused } = tab;
  await waitFor(() => expect(refused()).toBeGreaterThan(0));
  await waitFor(() => expect(store.connection()).toBe("offline"));
  expect(mine.get().status).toBe("ready");
  expect(await outbox.entries("change/")).toHaveLength(1);
  network.intercept = async () => undefined;
  await agrees({ store, client }, mine);
});

test("a service that was unreachable may fail five times", () => {
  const delayAfter = retryDelays();
  const mayPass = (status: number) =>
    delayAfter(new BoardServiceError({ status, code: "", message: "" })) !== undefined;
  for (let nth = 0; nth < 10; nth++) expect(mayPass(0)).toBe(true);
  for (let nth = 0; nth < 5; nth++) expect(mayPass(500)).toBe(true);
  expect(mayPass(503)).toBe(true);
  expect(mayPass(500)).toBe(false);
});

test("a connection that one read has lost is online after the next", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { store, network } = connect(app, admin);
  store.board(board).open();
  await waitFor(() => expect(store.connection()).toBe("online"));
  const seen: string[] = [];
  store.onConnection(() => seen.push(store.connection()));
  let failed = 0;
  network.intercept = async ({ url }) =>
    url.includes("card.get") && failed++ === 0 ? down() : undefined;
  const card = store.card(cards[0] ?? "");
  card.subscribe(() => {});
  await waitFor(() => expect(card.get().status).toBe("ready"));
  await waitFor(() => expect(store.connection()).toBe("online"));
  expect(seen[0]).toBe("offline");
});

/** Collects the uncaught errors of a test. */
function uncaught(): unknown[] {
  const errors: unknown[] = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => errors.push(error));
  onTestFinished(() => {
    process.removeAllListeners("uncaughtException");
    for (const listener of listeners) process.on("uncaughtException", listener);
  });
  return errors;
}

test("listeners that throw stop neither events nor changes", async () => {
  const errors = uncaught();
  const { admin, board, cards } = await makeScene(app());
  const fault = new Error("A listener throws.");
  const fails = () => {
    throw fault;
  };
  const options: StoreOptions = { onFailure: fails };
  const { store, client } = connect(app, admin, options);
  const mine = store.board(board);
  mine.subscribe(fails);
  store.onBoards(fails);
  store.onMutations(fails);
  store.onConnection(fails);
  store.on("card.updated", fails);
  const [a = "", b = "", c = ""] = cards;
  store.card(a).subscribe(fails);
  await mine.ready();
  await waitFor(() => expect(store.connection()).toBe("online"));
  await mine.cards.update(a, { title: "Sent" }).done;
  await expect(mine.cards.update(b, { title: "" }).done).rejects.toMatchObject({ status: 400 });
  await mine.cards.update(b, { title: "After a failure" }).done;
  await admin.rest.put(`/cards/${c}`, { title: "Followed" });
  await waitFor(() => expect(titles(mine)?.[0]).toEqual(["Sent", "After a failure", "Followed"]));
  await agrees({ store, client }, mine);
  expect(errors.length).toBeGreaterThan(0);
  expect(new Set(errors)).toEqual(new Set([fault]));
});

/** A stream whose events have no labels where its card has a title. */
const withoutLabels = (stream: ReadableStream<Uint8Array>, title: string) =>
  stream.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TransformStream<string, string>({
      transform(part, controller) {
        controller.enqueue(
          part.includes(`"title":"${title}"`) ? part.replaceAll('"labels":', '"-":') : part,
        );
      },
    }),
  );

test("an event that cannot be applied reaches no listener, and the board is read again", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { store, client, network } = connect(app, admin);
  network.intercept = async (request) => {
    if (!request.url.includes("/stream")) return undefined;
    const { body } = await app().fetch(request);
    if (body === null) throw new Error("The stream has no body.");
    const text = withoutLabels(body, "Broken").pipeThrough(new TextEncoderStream());
    return new Response(text, { headers: { "Content-Type": "text/event-stream" } });
  };
  const mine = store.board(board);
  mine.open();
  await mine.ready();
  await waitFor(() => expect(store.connection()).toBe("online"));
  const received: unknown[] = [];
  mine.on("card.updated", ({ data }) => received.push([data.card.title, titles(mine)?.[0]?.[0]]));
  await admin.rest.put(`/cards/${cards[0]}`, { title: "Broken" });
  await agrees({ store, client }, mine);
  expect(titles(mine)?.[0]?.[0]).toBe("Broken");
  await waitFor(() => expect(store.connection()).toBe("online"));
  await admin.rest.put(`/cards/${cards[0]}`, { title: "Whole" });
  await waitFor(() => expect(received).toEqual([["Whole", "Whole"]]));
});

test("stores in memory do not wait for each other", async () => {
  const { admin, board, cards } = await makeScene(app());
  const one = connect(app, admin, { outbox: "memory" });
  const two = connect(app, admin, { outbox: "memory", name: one.name });
  one.network.intercept = async ({ url }) =>
    url.includes("card.update") ? new Response("{}", { status: 401 }) : undefined;
  one.store.board(board).cards.update(cards[0] ?? "", { title: "Refused" });
  await waitFor(() => expect(one.store.connection()).toBe("denied"));
  await two.store.board(board).cards.update(cards[1] ?? "", { title: "Sent" }).done;
  expect(one.store.mutations().pending).toHaveLength(1);
});

test("a board is not shown again when access is lost while it is read", async () => {
  const { workspace, board } = await makeScene(app());
  const { publicId: other } = await makeBoard(workspace);
  const member = await join(app(), workspace, "member");
  const outbox = memoryPersistence();
  const before = connect(app, member, { outbox });
  for (const id of [board, other]) before.store.board(id).open();
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(2));
  before.store.close();

  const { store, network } = connect(app, member, { outbox });
  const [mine, followed] = [store.board(board), store.board(other)];
  followed.open();
  await followed.ready();
  await waitFor(() => expect(store.connection()).toBe("online"));
  const release = network.hold("board.get");
  mine.open();
  await waitFor(() => expect(network.held).toBe(1));
  await waitFor(() => expect(mine.get().status).toBe("ready"));
  await workspace.admin.rest.put(`/boards/${board}`, { visibility: "restricted" });
  await waitFor(() => expect(mine.get().status).toBe("denied"));
  await release();
  expect(mine.get().status).toBe("denied");
  await waitFor(async () => {
    const stored = await outbox.entries("board/");
    expect(stored.map(([key]) => key)).toEqual([`board/${other}`]);
  });
});

test("answers that arrive after the sign-out are not shown", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { store, network, outbox } = connect(app, admin);
  const mine = store.board(board);
  const card = store.card(cards[0] ?? "");
  const release = network.hold("/trpc/");
  mine.open();
  card.subscribe(() => {});
  await waitFor(() => expect(network.held).toBeGreaterThan(0));
  await store.clear();
  await release();
  expect([mine.get().status, card.get().status]).toEqual(["loading", "denied"]);
  expect(await outbox.entries("")).toEqual([]);
});

test("a stored copy of a closed board is removed when access is lost", async () => {
  const { workspace, board } = await makeScene(app());
  const { publicId: other } = await makeBoard(workspace);
  const member = await join(app(), workspace, "member");
  const { store, outbox } = connect(app, member);
  store.board(other).open();
  const close = store.board(board).open();
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(2));
  close();
  await waitFor(() => expect(store.board(board).get().status).toBe("loading"));
  await workspace.admin.rest.put(`/boards/${board}`, { visibility: "restricted" });
  await waitFor(async () => expect(await outbox.entries("board/")).toHaveLength(1));
});

test("a card that is closed is not shown again", async () => {
  const { admin, board, cards } = await makeScene(app());
  const { store } = connect(app, admin);
  const [a = ""] = cards;
  const mine = store.board(board);
  mine.open();
  await mine.ready();
  const card = store.card(a);
  const close = card.subscribe(() => {});
  await waitFor(() => expect(card.get().status).toBe("ready"));
  const shown = card.get();
  close();
  await mine.cards.update(a, { title: "Renamed" }).done;
  expect(card.get()).toBe(shown);
  card.subscribe(() => {});
  await waitFor(() => expect(card.get().card?.title).toBe("Renamed"));
});
