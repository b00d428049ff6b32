import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { publicId } from "../../src/platform/db/public-id.ts";
import { useApp } from "../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace, type User } from "../support/make.ts";
import { transactionsOf } from "../support/rows.ts";
import { hookOf, local } from "../outbound/webhooks/hook.ts";
import { deadlocks, listenOnce } from "./http.ts";
import { expectAnnounced, expectSound } from "./invariants.ts";
import { randomFrom } from "./sync/operations.ts";
import { findEvents } from "../support/events.ts";

const app = useApp({ isolated: true, env: local });
const clients = 8;
const batches = Number(process.env["BATCHES"] ?? 8);

/** Two boards with cards, a webhook that receives all events, and eight members. */
async function scene() {
  const workspace = await makeWorkspace(app());
  const boards = [await makeBoard(workspace), await makeBoard(workspace)];
  const lists = boards.flatMap((board) => board.lists);
  const cards: string[] = [];
  for (const list of [...lists, ...lists]) cards.push(await makeCard(workspace.admin, list));
  await hookOf(app(), workspace, { events: ["*"] });
  const users: User[] = [];
  for (let n = 0; n < clients; n++) users.push(await join(app(), workspace, "admin"));
  return { workspace, boards, lists, cards, users };
}

type Scene = Awaited<ReturnType<typeof scene>>;
type Sent = { key: string; created: string[]; fails: boolean };
type Call = { sent: Sent; path: string; body: object };

const { below } = randomFrom(1);
const oneOf = (all: string[]) => all[below(all.length)] ?? "";

/** A batch of random operations; some of them fail at a random index. */
function randomBatch({ workspace, lists, cards }: Scene): Call {
  const sent: Sent = { key: randomUUID(), created: [], fails: below(3) === 0 };
  const operations: object[] = Array.from({ length: 2 + below(10) }, () => {
    const listPublicId = oneOf(lists);
    const created = sent.created.at(-1);
    const cardPublicId = created !== undefined && below(2) === 0 ? created : oneOf(cards);
    if (below(3) === 0) {
      const id = publicId();
      sent.created.push(id);
      return { operation: "card.create", input: { publicId: id, title: "New", listPublicId } };
    }
    const input =
      below(3) === 0
        ? { cardPublicId, title: randomUUID() }
        : { cardPublicId, listPublicId, index: below(4) };
    return { operation: "card.update", input };
  });
  const failing = { operation: "card.update", input: { cardPublicId: "nowhere00000" } };
  if (sent.fails) operations.splice(below(operations.length + 1), 0, failing);
  return { sent, path: `/workspaces/${workspace.publicId}/batch`, body: { operations } };
}

/** A random change of all cards of a board; some of them name a list that does not exist. */
function randomBulk({ boards }: Scene): Call {
  const sent: Sent = { key: randomUUID(), created: [], fails: below(3) === 0 };
  const board = boards[below(boards.length)];
  const listPublicId = sent.fails ? "nowhere00000" : oneOf(board?.lists ?? []);
  const isComplete = below(2) === 0;
  const set = sent.fails || below(2) === 0 ? { listPublicId, isComplete } : { isComplete };
  return { sent, path: `/boards/${board?.publicId}/cards/bulk`, body: { filter: {}, set } };
}

/** Makes a call, again with its key while the service is too busy: 503 has changed nothing. */
async function send(url: string, { token }: User, { sent: { key }, path, body }: Call) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 503 || attempt === 5) return { status: response.status, text };
  }
}

/** The keys of the calls in the order of the log, each once for its events in a row. */
async function keysInOrder() {
  const events = await findEvents(app(), {
    where: { mutationId: { not: null } },
    orderBy: [{ workspaceId: "asc" }, { number: "asc" }],
  });
  const keys = events.map(({ mutationId }) => mutationId);
  return keys.filter((key, nth) => key !== keys[nth - 1]);
}

/** Asserts that a batch is whole in the cards, the log and the webhooks, or not there at all. */
async function expectWhole({ key, created, fails }: Sent) {
  const { reader } = app().db;
  const events = await findEvents({ db: { reader } }, { where: { mutationId: key } });
  const cards = await reader.card.count({ where: { publicId: { in: created } } });
  const eventIds = events.map(({ id }) => id);
  const deliveries = await reader.delivery.count({ where: { eventId: { in: eventIds } } });
  expect(cards).toBe(fails ? 0 : created.length);
  if (fails) expect(events).toEqual([]);
  expect(events.length).toBeGreaterThanOrEqual(cards);
  expect((await transactionsOf(app(), events)).length).toBeLessThan(2);
  expect(deliveries).toBe(events.length);
}

test(`${clients} clients × ${batches} random batches and bulk changes: all or nothing, no deadlock`, async () => {
  const here = await scene();
  const url = await listenOnce(app());
  const before = await deadlocks(app());
  const sent: Sent[] = [];
  const run = async (user: User) => {
    for (let nth = 0; nth < batches; nth++) {
      const one = below(4) === 0 ? randomBulk(here) : randomBatch(here);
      const { status, text } = await send(url, user, one);
      expect(status, text).toBe(one.sent.fails ? 404 : 200);
      sent.push(one.sent);
    }
  };
  await Promise.all(here.users.map(run));
  expect((await deadlocks(app())) - before).toBe(0);
  expect(sent).toHaveLength(clients * batches);
  for (const one of sent) await expectWhole(one);
  const keys = await keysInOrder();
  expect(new Set(keys).size).toBe(keys.length);
  await expectSound(app());
  await expectAnnounced(app());
});
