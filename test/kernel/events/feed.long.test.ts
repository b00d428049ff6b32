import { describe, expect, test } from "vitest";
import { randomFrom } from "../../property/sync/operations.ts";
import { useApp } from "../../support/app.ts";
import { besideAnotherDatabase, follow, waitingTransactions, write } from "../../support/feed.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { insertEvents } from "../../support/rows.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { gate } from "../../support/gate.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp({ isolated: true });
const readsOf = useRowsRead("events");

/** Begins a write that stays open until its gate is opened. */
async function begin(workspace: Workspace, count = 1) {
  const { open, opened } = gate();
  const begun = gate();
  const ids = write(app(), workspace.publicId, count, async () => {
    begun.open();
    await opened;
  });
  await begun.opened;
  return {
    async commit() {
      open();
      return ids;
    },
  };
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);
const { below: few } = randomFrom(1);

test("with 16 concurrent writers, each of 4 readers sees every event once, all in one order", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one = "", two = ""] = board.lists;
  let writing = true;

  const read = async (limit: number) => {
    const seen: string[] = [];
    let cursor = "";
    for (let last = false; ;) {
      const isLast = !writing;
      const { status, body } = await rest.get(
        `/workspaces/${workspace.publicId}/events?limit=${limit}${cursor && `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      seen.push(...idsOf(body.items));
      cursor = body.nextCursor;
      if (body.items.length > 0) continue;
      if (last && isLast) return seen;
      last = isLast;
    }
  };
  const called = async () => {
    for (let round = 0; round < 6; round++) {
      const card = await makeCard(workspace.admin, one);
      const moved = await rest.put(`/cards/${card}`, { listPublicId: two, title: "Moved" });
      expect(moved.status).toBe(200);
    }
  };
  const raw = async () => {
    for (let round = 0; round < 8; round++) {
      await write(app(), workspace.publicId, 1 + few(5), async (query) => {
        for (let trip = few(60); trip > 0; trip--) await query(sql`SELECT 1`);
      });
    }
  };
  const writers = Promise.all([
    ...Array.from({ length: 11 }, called),
    ...Array.from({ length: 5 }, raw),
  ]).finally(() => {
    writing = false;
  });
  const [first = [], ...others] = await Promise.all([1, 7, 50, 100].map(read));
  await writers;
  for (const other of others) expect(other).toEqual(first);
  const { id } = await app().db.reader.workspace.findUniqueOrThrow({
    where: { publicId: workspace.publicId },
  });
  const rows = await findEvents(app(), { where: { workspaceId: id } });
  expect(new Set(first).size).toBe(first.length);
  expect(first.toSorted()).toEqual(rows.map(({ publicId }) => publicId).toSorted());
});

describe("a write beside an earlier one of its workspace that has not ended", () => {
  test("comes after it, and no reader sees one of them before", async () => {
    const workspace = await makeWorkspace(app());
    const { cursor } = await follow(workspace.admin, workspace.publicId);
    const early = await begin(workspace);
    const late = write(app(), workspace.publicId, 2);
    const before = await follow(workspace.admin, workspace.publicId, { cursor });
    expect(before.items).toEqual([]);
    const held = await early.commit();
    const ids = [...held, ...(await late)];
    const { items } = await follow(workspace.admin, workspace.publicId, { cursor: before.cursor });
    expect(idsOf(items)).toEqual(ids);
  });

  test("is read as soon as the earlier one has been rolled back", async () => {
    const workspace = await makeWorkspace(app());
    const { cursor } = await follow(workspace.admin, workspace.publicId);
    const { open, opened } = gate();
    const begun = gate();
    const rolledBack = write(app(), workspace.publicId, 1, async () => {
      begun.open();
      await opened;
      throw new Error("No.");
    });
    await begun.opened;
    const late = write(app(), workspace.publicId, 1);
    const { rest } = workspace.admin;
    const path = `/workspaces/${workspace.publicId}/events?wait=30&cursor=${cursor}`;
    const waiting = rest.get(path);
    open();
    await expect(rolledBack).rejects.toThrow("No.");
    expect(idsOf((await waiting).body.items)).toEqual(await late);
  });

  test.each(waitingTransactions)(
    "does not wait for a transaction in another database of the server that is %s",
    async (kind) => {
      const workspace = await makeWorkspace(app());
      const { cursor } = await follow(workspace.admin, workspace.publicId);
      await besideAnotherDatabase(kind, async () => {
        const late = await write(app(), workspace.publicId, 1);
        const { items } = await follow(workspace.admin, workspace.publicId, { cursor });
        expect(idsOf(items)).toEqual(late);
      });
    },
  );

  test.each(waitingTransactions)(
    "does not wait for a transaction in its own database that is %s",
    async (kind) => {
      const workspace = await makeWorkspace(app());
      const { cursor } = await follow(workspace.admin, workspace.publicId);
      const run = async () => {
        const late = await write(app(), workspace.publicId, 1);
        const { items } = await follow(workspace.admin, workspace.publicId, { cursor });
        expect(idsOf(items)).toEqual(late);
      };
      await besideAnotherDatabase(kind, run, app().url);
    },
  );
});

describe("a long poll", () => {
  const pathOf = async (workspace: Workspace, wait: number) => {
    const { cursor } = await follow(workspace.admin, workspace.publicId);
    return `/workspaces/${workspace.publicId}/events?wait=${wait}&cursor=${cursor}`;
  };

  test("answers as soon as something happens, and holds no connection until then", async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const path = await pathOf(workspace, 30);
    // More of them than the pool has connections.
    const waiting = Array.from({ length: 30 }, () => rest.get(path));
    const meanwhile = Array.from({ length: 20 }, () =>
      rest.get(`/workspaces/${workspace.publicId}`),
    );
    for (const { status } of await Promise.all(meanwhile)) expect(status).toBe(200);
    const ids = await write(app(), workspace.publicId, 3);
    for (const { body } of await Promise.all(waiting)) expect(idsOf(body.items)).toEqual(ids);
  });

  test("answers an empty page at its timeout, with a cursor to continue from", async () => {
    const workspace = await makeWorkspace(app());
    const { rest } = workspace.admin;
    const { body } = await rest.get(await pathOf(workspace, 1));
    expect(body.items).toEqual([]);
    const ids = await write(app(), workspace.publicId, 1);
    const next = `/workspaces/${workspace.publicId}/events?cursor=${body.nextCursor}`;
    expect(idsOf((await rest.get(next)).body.items)).toEqual(ids);
  });

  test("waits on when an event is not for it", async () => {
    const workspace = await makeWorkspace(app());
    const board = await makeBoard(workspace);
    const { rest } = workspace.admin;
    const waiting = rest.get(`${await pathOf(workspace, 30)}&types=card.created`);
    await write(app(), workspace.publicId, 5);
    await makeCard(workspace.admin, board.lists[0] ?? "");
    const { body } = await waiting;
    expect(body.items.map(({ type }: { type: string }) => type)).toEqual(["card.created"]);
  });

  test("is at most 30 seconds", async () => {
    const workspace = await makeWorkspace(app());
    const { status } = await workspace.admin.rest.get(
      `/workspaces/${workspace.publicId}/events?wait=31`,
    );
    expect(status).toBe(400);
  });
});

test("no statement of the feed grows with the log, for any cursor and any filter", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const { cursor } = await follow(workspace.admin, workspace.publicId);
  for (let part = 0; part < 10; part++) {
    await insertEvents(app().db.write, workspace.publicId, 3_000);
  }
  await app().db.write(sql`ANALYZE events`);
  const path = `/workspaces/${workspace.publicId}/events`;
  for (const from of [
    "?limit=10",
    `?limit=10&cursor=${cursor}`,
    `?types=card.created&cursor=${cursor}`,
    "?cursor=now",
  ]) {
    const reads = await readsOf(app(), async () => {
      expect((await rest.get(path + from)).status).toBe(200);
    });
    expect(reads.length).toBeGreaterThan(0);
    for (const { text, rows } of reads) expect(rows, `${from}: ${text}`).toBeLessThan(5_000);
  }
});
