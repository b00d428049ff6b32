import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";
import { statementOf } from "../../support/statement-of.ts";

const app = useApp({ isolated: true });
const day = 24 * 3_600_000;

const found = async (who: As, { publicId }: Workspace, query: string, more = "") => {
  const path = `/workspaces/${publicId}/search?query=${encodeURIComponent(query)}${more}`;
  return (await who.rest.get(path)).body.items.map((hit: any) => `${hit.type} ${hit.publicId}`);
};

const count = async (text: string, ...values: unknown[]) => {
  const [row] = await app().db.read<{ count: bigint }>(
    statementOf(`SELECT count(*) FROM ${text}`, values),
  );
  return Number(row?.count);
};

test("changed names and texts are found by their new words only", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const board = await makeBoard(workspace);
  await admin.rest.put(`/boards/${board.publicId}`, { name: "Quokka", description: "marsupial" });
  const card = await makeCard(admin, board.lists[0] ?? "", "Wombat burrow");
  const comment = (await admin.rest.post(`/cards/${card}/comments`, { comment: "numbat" })).body;
  await admin.rest.put(`/cards/${card}`, { title: "Platypus", description: "It lays eggs." });
  await admin.rest.put(`/cards/${card}/comments/${comment.publicId}`, { comment: "echidna" });
  await admin.rest.put(`/boards/${board.publicId}`, { name: "Koala", description: null });
  for (const gone of ["wombat", "burrow", "wombta", "numbat", "quokka", "marsupial"])
    expect([gone, await found(admin, workspace, gone)]).toEqual([gone, []]);
  expect(await found(admin, workspace, "platypus eggs")).toEqual([`card ${card}`]);
  expect(await found(admin, workspace, "platipus")).toEqual([`card ${card}`]);
  expect(await found(admin, workspace, "echidna")).toEqual([`comment ${comment.publicId}`]);
  expect(await found(admin, workspace, "koal")).toEqual([`board ${board.publicId}`]);
});

test("a card, its comments and a board are found where they were moved to", async () => {
  const [from, to] = [await makeWorkspace(app()), await makeWorkspace(app())];
  const { admin } = from;
  const other = await makeWorkspace(app(), admin);
  const [one, two] = [await makeBoard(from), await makeBoard(from)];
  const card = await makeCard(admin, one.lists[0] ?? "", "Wombat");
  const { publicId: comment } = (
    await admin.rest.post(`/cards/${card}/comments`, { comment: "wombat tracks" })
  ).body;
  await admin.rest.put(`/cards/${card}`, { listPublicId: two.lists[0] });
  const both = [`card ${card}`, `comment ${comment}`];
  expect(await found(admin, from, "wombat", `&boardPublicId=${one.publicId}`)).toEqual([]);
  expect(await found(admin, from, "wombat", `&boardPublicId=${two.publicId}`)).toEqual(both);
  const move = { workspacePublicId: other.publicId };
  expect((await admin.rest.post(`/boards/${two.publicId}/move`, move)).status).toBe(200);
  expect(await found(admin, from, "wombat")).toEqual([]);
  expect(await found(admin, other, "wombat")).toEqual(both);
  expect(await found(admin, other, "wombta")).toEqual([`card ${card}`]);
  expect(await found(to.admin, to, "wombat")).toEqual([]);
});

test("deleted cards and lists are found again after they are restored", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const card = await makeCard(admin, list, "Wombat");
  for (const path of [`/cards/${card}`, `/lists/${list}`]) {
    await admin.rest.delete(path);
    expect(await found(admin, workspace, "wombat")).toEqual([]);
    await admin.rest.post(`${path}/restore`);
    expect(await found(admin, workspace, "wombat")).toEqual([`card ${card}`]);
  }
});

test("the purge deletes the words of purged and renamed resources that no other name has", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const card = await makeCard(admin, list, "Zyzzyva weevil");
  await admin.rest.post(`/cards/${card}/comments`, { comment: "Zyzzyva" });
  await makeCard(admin, list, "Another weevil");
  const renamed = await makeCard(admin, list, "Xylograph");
  await admin.rest.put(`/cards/${renamed}`, { title: "Print" });
  await admin.rest.delete(`/cards/${card}`);
  const texts = () => count("search_texts WHERE words @@ 'zyzzyva'");
  const words = (word: string) => count("search_words WHERE word = $1", word);
  expect([await texts(), await words("zyzzyva"), await words("xylograph")]).toEqual([2, 1, 2]);
  app().advance(40 * day);
  await runDue(app().deps);
  expect([await texts(), await words("zyzzyva"), await words("xylograph")]).toEqual([0, 0, 0]);
  expect(await words("weevil")).toBe(1);
  expect(await count(`search_words WHERE "isStale"`)).toBe(0);
});

test("the purge deletes the words of a deleted workspace", async () => {
  app().resetClock();
  const workspace = await makeWorkspace(app());
  const [list = ""] = (await makeBoard(workspace)).lists;
  await makeCard(workspace.admin, list, "Axolotl");
  const words = () => count("search_words WHERE word = 'axolotl'");
  expect(await words()).toBe(1);
  await workspace.admin.rest.delete(`/workspaces/${workspace.publicId}`);
  app().advance(90 * day);
  await runDue(app().deps);
  expect([await words(), await count("search_texts WHERE words @@ 'axolotl'")]).toEqual([0, 0]);
});

test("texts of the largest size are found by their first and last words", async () => {
  app().resetClock();
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [listPublicId] = (await makeBoard(workspace)).lists;
  const words = Array.from({ length: 14_000 }, (_, nth) => `w${nth}`).join(" ");
  const description = `first ${words}`.slice(0, 99_990) + " last";
  const { status, body } = await admin.rest.post("/cards", {
    listPublicId,
    title: "Long",
    description,
  });
  expect(status).toBe(200);
  expect(await found(admin, workspace, "first last")).toEqual([`card ${body.publicId}`]);
});

test("a text of the largest size in a script without spaces is found by its first part", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [listPublicId] = (await makeBoard(workspace)).lists;
  const characters = Array.from({ length: 99_990 }, (_, nth) =>
    String.fromCodePoint(0x4e00 + ((nth * 7919) % 20_000)),
  );
  const description = `登录${characters.join("")}`;
  const { status, body } = await admin.rest.post("/cards", {
    listPublicId,
    title: "Long",
    description,
  });
  expect(status).toBe(200);
  expect(await found(admin, workspace, "登录")).toEqual([`card ${body.publicId}`]);
});
