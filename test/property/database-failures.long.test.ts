import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { longWaitMs } from "../support/database.ts";
import { makeBoard, makeCard, makeWorkspace } from "../support/make.ts";
import { deadlocks } from "./http.ts";
import { connection, waiting } from "./rows.ts";
import { sql } from "../../src/platform/db/sql.ts";

const app = useApp({ isolated: true });

const start = async () => {
  const workspace = await makeWorkspace(app());
  const { lists, publicId } = await makeBoard(workspace, { lists: ["One", "Two"] });
  const [one = "", two = ""] = lists;
  const user = workspace.admin;
  const card = await makeCard(user, one);
  const holder = await connection(app());
  await holder.query("BEGIN");
  return { user, board: publicId, one, two, card, holder };
};
const terminate = () =>
  app().db.read(
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

test("a move that ends in a deadlock is repeated without an error", async () => {
  const { user, two, card, holder } = await start();
  const before = await deadlocks(app());
  await holder.query("SET LOCAL deadlock_timeout = '1min'");
  await holder.query(`SELECT FROM lists WHERE "publicId" = $1 FOR UPDATE`, [two]);
  const move = user.rest.put(`/cards/${card}`, { listPublicId: two });
  await waiting(app());
  // The holder wants the card that the move holds, and has more patience: the move is the one to be
  // broken off.
  await holder.query(`SELECT FROM cards WHERE "publicId" = $1 FOR UPDATE`, [card]);
  await holder.query("COMMIT");
  expect((await move).status).toBe(200);
  expect((await user.rest.get(`/cards/${card}`)).body).toMatchObject({
    listPublicId: two,
    version: 2,
  });
  const moves = await app().db.reader.event.count({
    where: { cardPublicId: card, type: "card.moved" },
  });
  expect(moves).toBe(1);
  // Repeated at once, it may take the card before the holder wakes: then it is broken off again.
  expect(await deadlocks(app())).toBeGreaterThan(before);
  app().forgetDeadlocks();
});

test("a write that loses its connection in the middle is 503 with Retry-After, and has written nothing", async () => {
  const { user, two, card, holder } = await start();
  await holder.query(`SELECT FROM lists WHERE "publicId" = $1 FOR UPDATE`, [two]);
  const move = user.rest.put(`/cards/${card}`, { title: "Moved", listPublicId: two });
  await waiting(app());
  await terminate();
  const { status, body, headers } = await move;
  expect([status, body.code, headers.get("retry-after")]).toEqual([
    503,
    "SERVICE_UNAVAILABLE",
    "1",
  ]);
  await holder.query("COMMIT");
  expect((await user.rest.get(`/cards/${card}`)).body.version).toBe(1);
  expect((await user.rest.put(`/cards/${card}`, { listPublicId: two })).status).toBe(200);
});

const tables = ["labels", "card_labels", "lists", "cards", "sessions"] as const;

/** Begins a read that waits for a table, which another connection has locked. */
async function startRead(table: (typeof tables)[number]) {
  const { user, board, card, holder, one } = await start();
  // What is not on a card is not looked for.
  const label = { boardPublicId: board, name: "Label", colourCode: "#00ff00" };
  const { body } = await user.rest.post("/labels", label);
  const added = await user.rest.post(`/cards/${card}/labels`, { labelPublicId: body.publicId });
  expect(added.status).toBe(200);
  await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const path = {
    labels: `/boards/${board}`,
    card_labels: `/cards/${card}`,
    lists: `/lists/${one}`,
    cards: `/lists/${one}`,
    sessions: "/users/me",
  }[table];
  let isAnswered = false;
  const read = user.rest.get(path).finally(() => (isAnswered = true));
  await waiting(app());
  return { again: () => user.rest.get(path), read, isAnswered: () => isAnswered, holder };
}

test.each(tables)(
  "a read that loses every connection while it waits for %s is 503 with Retry-After",
  async (table) => {
    const { again, read, isAnswered, holder } = await startRead(table);
    // A read runs once more on another connection, which is lost too.
    const terminated = () => terminate().then(isAnswered);
    await expect.poll(terminated, { timeout: longWaitMs / 2 }).toBe(true);
    const { status, body, headers } = await read;
    expect([status, body.code, headers.get("retry-after")]).toEqual([
      503,
      "SERVICE_UNAVAILABLE",
      "1",
    ]);
    await holder.query("COMMIT");
    expect((await again()).status).toBe(200);
  },
);

test("a small read that loses one connection is answered from another", async () => {
  const { read, holder } = await startRead("card_labels");
  await terminate();
  await holder.query("COMMIT");
  expect((await read).status).toBe(200);
});
