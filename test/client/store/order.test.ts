import { expect, onTestFinished, test, vi } from "vitest";
import { memoryPersistence, type Persistence } from "../../../src/client/store/index.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard } from "../../support/make.ts";
import { agrees, connect, makeScene, open, titles } from "./scene.ts";
import { waitFor } from "../../support/wait.ts";

const app = useApp();

test("a change of a card on its new board waits for the move there", async () => {
  const { workspace, admin, board, cards } = await makeScene(app());
  const target = await makeBoard(workspace, { labels: 1 });
  const [card = ""] = cards;
  const { client, store, network } = connect(app, admin);
  const [from, to] = [store.board(board), store.board(target.publicId)];
  from.open();
  to.open();
  await Promise.all([from.ready(), to.ready()]);
  let lost = 0;
  network.intercept = async (request) => {
    if (request.method !== "POST" || lost++ > 0) return undefined;
    throw new TypeError("The connection was reset.");
  };
  const move = from.cards.move(card, { list: target.lists[0] ?? "" });
  // The service refuses the label while the card is on the first board.
  const change = to.cards.setLabels(card, target.labels);
  await Promise.all([move.done, change.done]);
  await agrees({ client, store }, to);
  expect(to.get().board?.lists[0]?.cards).toMatchObject([{ publicId: card, labels: [{}] }]);
});

test("changes stay in order when the clock is set back", async () => {
  const { admin, board, first } = await makeScene(app());
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const now = Date.now();
  const before = connect(app, admin);
  before.network.down();
  vi.setSystemTime(now + 60 * 60_000);
  const { publicId } = before.store.board(board).cards.create({ list: first, title: "D" });
  await waitFor(async () => expect(await before.outbox.entries("change/")).toHaveLength(1));
  before.store.close();
  vi.setSystemTime(now);
  const { name, outbox } = before;
  const after = connect(app, admin, { name, outbox });
  after.network.down();
  await waitFor(() => expect(after.store.mutations().pending).toHaveLength(1));
  const mine = after.store.board(board);
  mine.cards.update(publicId, { title: "Renamed" });
  after.network.up();
  mine.open();
  await agrees(after, mine);
  expect(titles(mine)?.[0]).toEqual(["A", "B", "C", "Renamed"]);
});

test("a new comment is the last one when the clock is set back", async () => {
  const { admin, board, cards } = await makeScene(app());
  const [card = ""] = cards;
  const { client, store, network } = connect(app, admin);
  await client.comment.create({ cardPublicId: card, comment: "First" });
  const detail = store.card(card);
  onTestFinished(detail.subscribe(() => undefined));
  await detail.ready();
  network.down();
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.now() - 60 * 60_000);
  store.board(board).comments.create(card, "Second");
  const comments = detail.get().card?.comments ?? [];
  expect(comments.map(({ comment }) => comment)).toEqual(["First", "Second"]);
});

/** A change that a tab is sending, and a second tab with a storage of its own. */
async function whileSending() {
  const { admin, board, cards } = await makeScene(app());
  const outbox = memoryPersistence();
  const { client, network, name, store } = connect(app, admin, { outbox });
  const release = network.hold("card.update");
  const { done } = store.board(board).cards.update(cards[0] ?? "", { title: "Renamed" });
  await waitFor(() => expect(network.held).toBe(1));
  return {
    outbox,
    accept: async () => {
      await release();
      await done;
    },
    tab: (entries: Persistence["entries"]) =>
      open(client, { name, outbox: { ...outbox, entries } }).store,
  };
}

test("a change that another tab sends while this one loads is not left over", async () => {
  const { outbox, accept, tab } = await whileSending();
  let deliver = () => {};
  const isDelivered = new Promise<void>((resolve) => (deliver = resolve));
  const read = vi.fn<Persistence["entries"]>(async (prefix) => {
    const found = await outbox.entries(prefix);
    if (prefix === "change/") await isDelivered;
    return found;
  });
  const { mutations } = tab(read);
  const reads = () => read.mock.calls.filter(([prefix]) => prefix.startsWith("change/")).length;
  await accept();
  const before = reads();
  deliver();
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
  await waitFor(() => expect(mutations().pending).toEqual([]));
});

test("a change that another tab has sent is not left over when its message is missed", async () => {
  const { outbox, accept, tab } = await whileSending();
  const stored = await outbox.entries("change/");
  await accept();
  const read = vi.fn<Persistence["entries"]>((prefix) => outbox.entries(prefix));
  read.mockImplementation(async (prefix) =>
    prefix === "change/" ? stored.splice(0) : outbox.entries(prefix),
  );
  const { mutations, onMutations } = tab(read);
  const shown: number[] = [];
  onMutations(() => shown.push(mutations().pending.length));
  await waitFor(() => expect(shown).toEqual([1, 0]));
});
