import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { publicId } from "../../src/platform/db/public-id.ts";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { readFeed } from "./history-check.ts";
import { clientOf, settle, type Home } from "./service-client.ts";
import { startBuilt } from "./service-process.ts";

const kills = 8 * Number(process.env["CRASH_ROUNDS"] ?? 1);
const clientCount = 4;

/** A change of a client that was answered: the ids that it made, and how often it was sent. */
type Change = { card: string; comment?: string; sent: number };

/** A client that sends one change after the other, each until it is answered. */
function replayingClient(url: () => string, home: Home, workspace: string) {
  const changes: Change[] = [];
  const headers = { Authorization: `Bearer ${home.key}`, "Content-Type": "application/json" };

  /** Whether the service has answered; false when it was killed or is not there. */
  async function send(path: string, body: object, key?: string): Promise<boolean> {
    const own = key === undefined ? {} : { "Idempotency-Key": key };
    const request = { method: "POST", headers: { ...headers, ...own }, body: JSON.stringify(body) };
    try {
      const response = await fetch(`${url()}/api/v1${path}`, request);
      const text = await response.text();
      if (response.status === 503) return false;
      expect([response.status, text]).toEqual([200, expect.any(String)]);
      return true;
    } catch (error) {
      if (/fetch failed|terminated/.test(String(error))) return false;
      throw error;
    }
  }

  /** Creates a card, or a card with a comment in a batch; every other change has a key. */
  async function change() {
    const [card, comment] = [publicId(), publicId()];
    const key = randomInt(2) === 0 ? randomUUID() : undefined;
    const input = { publicId: card, title: card, listPublicId: home.lists[0] };
    const isBatch = randomInt(2) === 0;
    const path = isBatch ? `/workspaces/${workspace}/batch` : "/cards";
    const operations = [
      { operation: "card.create", input },
      { operation: "comment.create", input: { publicId: comment, cardPublicId: card, comment } },
    ];
    for (let sent = 1; ; sent++) {
      if (await send(path, isBatch ? { operations } : input, key)) {
        return changes.push({ card, sent, ...(isBatch ? { comment } : {}) });
      }
      await pause(20);
    }
  }

  return { change, changes };
}

test(`after ${kills} kill -9 every change that was repeated until its answer is there once`, async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const dataDir = await temporaryDirectory();
  const env = { DATABASE_URL: database.url, LOG_LEVEL: "error" };
  let service = await startBuilt(dataDir, env);
  const url = () => service.url;
  const home = await settle(service.url);
  const call = clientOf(url, home.key);
  const [{ workspace }] = (await call("GET", "/workspaces")).body;
  const clients = Array.from({ length: clientCount }, () =>
    replayingClient(url, home, workspace.publicId),
  );
  const answered = () => clients.reduce((sum, { changes }) => sum + changes.length, 0);

  let isOver = false;
  const running = clients.map(async ({ change }) => {
    while (!isOver) await change();
  });
  for (let killed = 0; killed < kills; killed++) {
    const enough = answered() + clientCount + randomInt(20);
    while (answered() < enough) await pause(1);
    service.kill();
    await service.ended;
    service = await startBuilt(dataDir, env);
  }
  isOver = true;
  await Promise.all(running);

  const changes = clients.flatMap((client) => client.changes);
  // Each kill has met at least one call, which was repeated.
  expect(changes.filter(({ sent }) => sent > 1).length).toBeGreaterThanOrEqual(kills);
  const { body: board } = await call("GET", `/boards/${home.board}`);
  const [{ cards }] = board.lists;
  const shown = cards.map((card: { publicId: string }) => card.publicId);
  expect(shown.toSorted()).toEqual(changes.map(({ card }) => card).toSorted());
  const { items } = await readFeed(call, `/workspaces/${workspace.publicId}/events`);
  const idsIn = (type: string, subject: string) =>
    items.filter((event) => event.type === type).map(({ data }) => String(data[subject].publicId));
  expect(idsIn("card.created", "card").toSorted()).toEqual(shown.toSorted());
  const comments = changes.flatMap(({ comment }) => comment ?? []);
  expect(idsIn("comment.created", "comment").toSorted()).toEqual(comments.toSorted());
});
