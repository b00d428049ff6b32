import { expect, test } from "vitest";
import { purgeAttachments } from "../../../src/domain/attachments/purge.ts";
import { newStorageKey } from "../../../src/platform/storage/store.ts";
import { cardRows, fill } from "../../property/rows.ts";
import { signedIn } from "../../support/as.ts";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard } from "../../support/make.ts";
import { insertFiles, insertPending } from "./many.ts";
import { download, png, rows, start, stored, upload } from "./files.ts";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";

const app = useApp({ isolated: true });
const day = 24 * 60 * 60 * 1000;
/** Purges what has been in the trash for thirty days. */
const purge = async () => {
  const before = new Date(app().deps.clock().getTime() - 30 * day);
  let purged = 0;
  for (let some = 1; some > 0; purged += some) some = await purgeAttachments(app().deps, before);
  return purged;
};

/** One file on a card of its own, in a list, a board and a workspace of its own. */
const one = async () => {
  const world = await start(app());
  const { body } = await upload(app(), world.user, world.card, png);
  return { ...world, id: String(body.publicId) };
};

test("a deleted file stays until the trash expires, then its bytes are purged", async () => {
  const [mine, remaining] = [await one(), await one()];
  await mine.user.rest.delete(`/attachments/${mine.id}`);
  expect(await purge()).toBe(0);
  app().advance(31 * day);
  expect(await purge()).toBe(1);
  expect((await rows(app())).map(({ publicId }) => publicId)).toEqual([remaining.id]);
  expect(await stored(app())).toHaveLength(1);
  expect(await purge()).toBe(0);
  await (await signedIn(app(), remaining.user)).rest.delete(`/attachments/${remaining.id}`);
  app().advance(31 * day);
  expect(await purge()).toBe(1);
});

test("the files of a deleted card, list, board or workspace are deleted too", async () => {
  const worlds = await Promise.all([one(), one(), one(), one()]);
  const [card, list, board, workspace] = worlds;
  await card?.user.rest.delete(`/cards/${card.card}`);
  await list?.user.rest.delete(`/lists/${list.board.lists[0]}`);
  await board?.user.rest.delete(`/boards/${board.board.publicId}`);
  await workspace?.user.rest.delete(`/workspaces/${workspace.workspace.publicId}`);
  expect(await purge()).toBe(0);
  app().advance(31 * day);
  expect(await purge()).toBe(4);
  expect(await rows(app())).toEqual([]);
});

test("a card that is restored during the purge shows no purged files", async () => {
  const { user, card, id } = await one();
  await user.rest.delete(`/cards/${card}`);
  app().advance(1);
  const now = app().deps.clock();
  const { files } = app().deps;
  const died = new Error("the disk died");
  const dying = { ...app().deps, files: { ...files, remove: () => Promise.reject(died) } };
  await expect(purgeAttachments(dying, now)).rejects.toThrow(died);
  expect((await user.rest.post(`/cards/${card}/restore`)).status).toBe(200);
  expect((await download(app(), user, id)).status).toBe(404);
  expect(await purgeAttachments(app().deps, now), "what was begun is found again").toBe(1);
  expect(await rows(app())).toEqual([]);
});

test("an incomplete upload is removed with its bytes after a day", async () => {
  const { card } = await start(app());
  const key = newStorageKey();
  await app().deps.files.put(key, one100(), 100);
  await insertPending(app(), card, key);
  expect(await purge()).toBe(0);
  app().advance(day + 1);
  expect(await purge()).toBe(1);
  expect((await stored(app())).filter((path) => path.includes(key))).toEqual([]);
});

test("many are purged a hundred at a time", async () => {
  const { user, board, workspace } = await start(app());
  const other = await makeBoard(workspace);
  const card = await makeCard(user, board.lists[0] ?? "");
  const remaining = await makeCard(user, other.lists[0] ?? "");
  for (const each of [card, remaining]) await insertFiles(app(), [each], 250);
  await user.rest.delete(`/cards/${card}`);
  app().advance(31 * day);
  const before = new Date(app().deps.clock().getTime() - 30 * day);
  expect(await purgeAttachments(app().deps, before)).toBe(100);
  expect(await purge()).toBe(150);
  expect(await rows(app())).toHaveLength(250);
});

async function* one100() {
  yield new Uint8Array(100);
}

test("due files are found by index, however many files exist", async () => {
  const { board } = await one();
  const [list = ""] = board.lists;
  await fill(app(), list, 3_000);
  const cards = (await cardRows(app(), list)).map(({ publicId }) => publicId);
  await insertFiles(app(), cards, 5);
  await app().db.write(sql`ANALYZE`);
  const plans: string[] = [];
  const db = {
    ...app().db,
    write: async <Row>(statement: Sql) => {
      const explain = sql`EXPLAIN ${statement}`;
      const lines = await app().db.write<{ "QUERY PLAN": string }>(explain);
      plans.push(lines.map((line) => line["QUERY PLAN"]).join("\n"));
      return app().db.write<Row>(statement);
    },
  };
  expect(await purgeAttachments({ ...app().deps, db }, new Date(0))).toBe(0);
  expect(plans).toHaveLength(1);
  expect(plans[0]).not.toMatch(/Seq Scan on attachments/);
});
