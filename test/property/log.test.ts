import { expect, test } from "vitest";
import { actorOf } from "../../src/kernel/events/actor.ts";
import { persistEvents } from "../../src/kernel/events/persist.ts";
import { runInTransaction } from "../../src/kernel/events/transaction.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { useApp } from "../support/app.ts";
import { follow } from "../support/feed.ts";
import { makeBoard, makeWorkspace } from "../support/make.ts";
import { findEvents } from "../support/events.ts";

const app = useApp({ isolated: true });
const writers = 32;
const writes = Number(process.env["LOG_WRITES"] ?? 6);

/** Two workspaces with a board each, and their internal ids. */
async function scene() {
  const logs = [await makeWorkspace(app()), await makeWorkspace(app())].map(async (workspace) => {
    const board = await makeBoard(workspace, { lists: ["One"] });
    const [list = ""] = board.lists;
    const { publicId } = workspace;
    const row = await app().db.reader.workspace.findUniqueOrThrow({ where: { publicId } });
    return { workspace, board: board.publicId, list, id: row.id };
  });
  return Promise.all(logs);
}
type Log = Awaited<ReturnType<typeof scene>>[number];

class Undone extends Error {}

/** A transaction that has written to one log, or to both, and then is rolled back. */
async function undo(logs: Log[]): Promise<void> {
  const undone = runInTransaction(app().deps, ["access.lost"], async (tx) => {
    for (const { id } of logs) {
      tx.emitIn(id, "access.lost", { boardPublicId: "k3v9x1q7w2m8", memberPublicIds: [] });
    }
    const last = await persistEvents(tx, actorOf(null), null);
    await last?.position;
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
}

const numbersOf = async (workspaceId: bigint) => {
  const events = await findEvents(app(), {
    where: { workspaceId },
    orderBy: { number: "asc" },
  });
  return events.map(({ number, publicId }) => ({ number, publicId }));
};

test(`${writers} writers with rollbacks: numbers are 1 to n, and each read is a prefix`, async () => {
  const logs = await scene();
  const [here, there] = logs;
  if (here === undefined || there === undefined) throw new Error("There are two workspaces.");
  let isOver = false;
  const reads: string[][] = [];
  const read = async () => {
    while (!isOver) {
      const { items } = await follow(here.workspace.admin, here.workspace.publicId);
      reads.push(items.map(({ id }) => id));
    }
  };
  const write = async (nth: number) => {
    for (let count = 0; count < writes; count++) {
      const log = (nth + count) % 4 === 0 ? there : here;
      const { admin } = log.workspace;
      const { status } = await admin.rest.post("/cards", { title: "A", listPublicId: log.list });
      expect(status).toBe(200);
      // An event of the user's own log.
      const favourite = count % 2 === 0;
      await admin.rest.put(`/boards/${log.board}/favourite`, { favourite });
      // In both orders: the writer locks the counters in one.
      if ((nth + count) % 3 === 0) await undo(count % 2 === 0 ? [here, there] : [there, here]);
    }
  };
  const reading = [read(), read()];
  await Promise.all(Array.from({ length: writers }, (_, nth) => write(nth)));
  isOver = true;
  await Promise.all(reading);
  for (const { id } of logs) {
    const numbers = (await numbersOf(id)).map(({ number }) => number);
    expect(numbers.length).toBeGreaterThan(writes);
    expect(numbers).toEqual(numbers.map((_, nth) => BigInt(nth + 1)));
    const counter = await app().db.reader.log.findUniqueOrThrow({
      where: { workspaceId: id },
    });
    expect(counter.last).toBe(numbers.at(-1));
  }
  const unordered = await app().db.read(sql`SELECT log.id FROM logs log JOIN events e
      ON e."workspaceId" = log."workspaceId" OR e."userId" = log."userId"
    GROUP BY log.id, log.last
    HAVING (count(e.number), min(e.number), max(e.number)) <> (log.last, 1, log.last)`);
  expect(unordered).toEqual([]);
  const ofUsers = { where: { userId: { not: null } } };
  expect(await app().db.reader.event.count(ofUsers)).toBeGreaterThan(writes);
  const all = (await numbersOf(here.id)).map(({ publicId }) => publicId);
  expect(reads.length).toBeGreaterThan(1);
  for (const ids of reads) expect(ids).toEqual(all.slice(0, ids.length));
});
