import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeCard } from "../support/make.ts";
import { expectFailure } from "./failure.ts";
import { makeWorld, type World } from "./world.ts";

const app = useApp();
let world: World;
beforeAll(async () => {
  world = await makeWorld(app());
});

let count = 0;
const keyed = () => ({ headers: { "Idempotency-Key": `key-${++count}` } });
const replayed = (reply: { headers: Headers }) => reply.headers.get("idempotency-replayed");

const list = (name: string) => ({ name, boardPublicId: world.board });
const namesOf = async () => {
  const { body } = await world.admin.rest.get(`/boards/${world.board}`);
  return body.lists.map((each: { name: string }) => each.name);
};

/** Locks a row until `free`. `waiting` resolves to the process that waits for it. */
async function hold(table: string, publicId: string) {
  const client = new pg.Client({ connectionString: app().url });
  await client.connect();
  await client.query("BEGIN");
  await client.query(`SELECT 1 FROM ${table} WHERE "publicId" = $1 FOR UPDATE`, [publicId]);
  const watcher = new pg.Client({ connectionString: app().url });
  await watcher.connect();
  return {
    async waiting() {
      await expect.poll(async () => (await watcher.query(waiting)).rows.length).toBeGreaterThan(0);
    },
    killWaiting: () => watcher.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS them`),
    async free() {
      await client.end();
      await watcher.end();
    },
  };
}
const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe("Idempotency-Key while a call runs", () => {
  test("is 409 while it runs, then replays it", async () => {
    const card = await makeCard(world.admin, world.list);
    const lock = await hold("cards", card);
    const options = keyed();
    const put = () => world.admin.rest.put(`/cards/${card}`, { title: "Slow" }, options);
    const first = put();
    await lock.waiting();
    const second = await put();
    expectFailure(second, "CONFLICT", [{}]);
    await lock.free();
    expect((await first).status).toBe(200);
    const third = await put();
    expect([third.body, replayed(third)]).toEqual([(await first).body, "true"]);
  });

  test("runs one of many concurrent calls", async () => {
    const options = keyed();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => world.admin.rest.post("/lists", list("Raced"), options)),
    );
    const statuses = new Set(replies.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
    const bodies = replies.filter(({ status }) => status === 200).map(({ body }) => body.publicId);
    expect(new Set(bodies).size).toBe(1);
    expect((await namesOf()).filter((name: string) => name === "Raced")).toHaveLength(1);
  });

  test("does not store a 500, so that a retry runs", async () => {
    const card = await makeCard(world.admin, world.list);
    const lock = await hold("cards", card);
    const options = keyed();
    const put = () => world.admin.rest.put(`/cards/${card}`, { title: "Stored" }, options);
    const first = put();
    await lock.waiting();
    await lock.killWaiting();
    const failed = await first;
    expectFailure(failed, "SERVICE_UNAVAILABLE", [{}]);
    expect(failed.headers.get("retry-after")).toMatch(/^\d+$/);
    await lock.free();
    const second = await put();
    expect([second.status, second.body.title, replayed(second)]).toEqual([200, "Stored", null]);
  });
});
