import { expect, test } from "vitest";
import { setOverride } from "../../kernel/access/membership.ts";
import { fill } from "../../transfer/exports/many.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeWorkspace, type Workspace } from "../../support/make.ts";

const app = useApp();

type Hit = { type: string; publicId: string; title: string };
const search = (who: As, workspace: Workspace, query: string, more = "") =>
  who.rest.get(
    `/workspaces/${workspace.publicId}/search?query=${encodeURIComponent(query)}${more}`,
  );
const hits = async (...asked: Parameters<typeof search>): Promise<Hit[]> =>
  (await search(...asked)).body.items;
const found = async (...asked: Parameters<typeof search>) =>
  (await hits(...asked)).map(({ publicId }) => publicId);

test("words are found in titles, texts and comments; all must match, the last as a prefix", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const pay = await makeCard(admin, list, "Fix the payment gateway");
  const { body: doc } = await admin.rest.post("/cards", {
    title: "Zzz",
    description: "Read https://docs.example.com/a and C'est l'été",
    listPublicId: list,
  });
  const { body: said } = await admin.rest.post(`/cards/${doc.publicId}/comments`, {
    comment: "Grüße from the zebra",
  });
  expect(await found(admin, workspace, "payment gatew")).toEqual([pay]);
  expect(await found(admin, workspace, "PAYMENT zebra")).toEqual([]);
  expect(await found(admin, workspace, "docs.example.com")).toEqual([doc.publicId]);
  expect(await found(admin, workspace, "l'été")).toEqual([doc.publicId]);
  const [comment] = await hits(admin, workspace, "grüß");
  expect(comment).toMatchObject({
    type: "comment",
    publicId: said.publicId,
    title: "Zzz",
    cardPublicId: doc.publicId,
    excerpt: "Grüße from the zebra",
  });
  for (const query of ["'", "\\", "a & | ! ( ) : * <->", "%", "''); DROP", " "])
    expect((await search(admin, workspace, query)).status).toBe(200);
  expect((await search(admin, workspace, "")).status).toBe(400);
  expect((await search(admin, workspace, "x".repeat(201))).status).toBe(400);
});

test("mistyped names are found, ENG-12 ranks first, and type and board are filters", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, cardPrefix, publicId } = workspace;
  const board = await makeBoard(workspace);
  const other = await makeBoard(workspace);
  await admin.rest.put(`/boards/${board.publicId}`, { name: "Payments" });
  const pay = await makeCard(
    admin,
    board.lists[0] ?? "",
    "A long title about the payment gateway of ours",
  );
  const two = await makeCard(admin, board.lists[0] ?? "", `Not ${cardPrefix}-1`);
  const far = await makeCard(admin, other.lists[0] ?? "", "Payment elsewhere");
  expect(await found(admin, workspace, "paymnt")).toEqual(expect.arrayContaining([pay, far]));
  const [first] = await found(admin, workspace, `${cardPrefix}-2`);
  expect(first).toBe(two);
  expect((await found(admin, workspace, "1"))[0]).toBe(pay);
  expect(await found(admin, workspace, "payment", "&type=board")).toEqual([board.publicId]);
  expect(await found(admin, workspace, "payment", `&boardPublicId=${other.publicId}`)).toEqual([
    far,
  ]);
  const asked = { workspacePublicId: publicId, query: "payment", type: "card" } as const;
  const { items } = await admin.trpc.workspace.search.query(asked);
  expect(items.map((hit) => hit.publicId).toSorted()).toEqual([pay, far].toSorted());
});

test("hidden, deleted and foreign resources are not found", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  await makeBoard(await makeWorkspace(app(), admin), { lists: ["needle"] });
  const open = await makeBoard(workspace);
  const hidden = await makeBoard(workspace);
  await admin.rest.put(`/boards/${hidden.publicId}`, { name: "needle", visibility: "restricted" });
  const secret = await makeCard(admin, hidden.lists[0] ?? "", "needle");
  await admin.rest.post(`/cards/${secret}/comments`, { comment: "needle" });
  const card = await makeCard(admin, open.lists[0] ?? "", "needle");
  await admin.rest.post(`/cards/${card}/comments`, { comment: "needle" });
  const gone = await makeCard(admin, open.lists[1] ?? "", "needle");
  await admin.rest.delete(`/cards/${gone}`);
  const [member, guest] = [
    await join(app(), workspace, "member"),
    await join(app(), workspace, "guest"),
  ];
  await setOverride(app(), guest.memberPublicId, "comment:view", false);
  const kinds = async (who: As) =>
    (await hits(who, workspace, "needle")).map(({ type }) => type).toSorted();
  expect(await kinds(admin)).toEqual(["board", "card", "card", "comment", "comment"]);
  expect(await kinds(member)).toEqual(["card", "comment"]);
  expect(await kinds(guest)).toEqual(["card"]);
  expect(await hits(member, workspace, "3", "&type=card")).toEqual([]);
  await setOverride(app(), guest.memberPublicId, "card:view", false);
  expect(await kinds(guest)).toEqual([]);
  await admin.rest.delete(`/lists/${open.lists[0]}`);
  expect(await kinds(member)).toEqual([]);
});

test("pages neither repeat nor lose hits during deletions", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const cards: string[] = [];
  for (let nth = 0; nth < 7; nth++) cards.push(await makeCard(admin, list, "same words"));
  const seen: string[] = [];
  let cursor = "";
  for (let page = 0; page < 4; page++) {
    const { status, body } = await search(admin, workspace, "same words", `&limit=2${cursor}`);
    expect(status).toBe(200);
    seen.push(...body.items.map((hit: Hit) => hit.publicId));
    if (page === 0) await admin.rest.delete(`/cards/${seen[0]}`);
    cursor = `&cursor=${body.nextCursor}`;
    if (body.nextCursor === null) break;
  }
  expect(seen.toSorted()).toEqual(cards.toSorted());
  expect((await search(admin, workspace, "other words", "&cursor=nonsense")).status).toBe(400);
});

test("a number and an exact title are found among more hits than are ranked", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = "", other = ""] = (await makeBoard(workspace)).lists;
  await fill(app(), list, { cards: 1_300 });
  const exact = await makeCard(admin, other, "Card");
  const { body: numbered } = await admin.rest.post("/cards", { listPublicId: other, title: "7" });
  const { body } = await search(admin, workspace, "card", "&type=card&limit=5");
  expect(body.items[0].publicId).toBe(exact);
  expect(body.isCapped).toBe(true);
  const number = numbered.cardNumber.split("-")[1];
  const { body: byNumber } = await search(admin, workspace, number, "&limit=1");
  expect(byNumber.items[0].publicId).toBe(numbered.publicId);
  expect((await search(admin, workspace, "nothing like it")).body.isCapped).toBe(false);
});

test("of many matches the newest are found", async () => {
  const workspace = await makeWorkspace(app());
  const [list = ""] = (await makeBoard(workspace)).lists;
  await fill(app(), list, { cards: 1_300, comments: 1 });
  const titles = async (more: string) =>
    (await hits(workspace.admin, workspace, "card", more)).map(({ title }) => title);
  expect(await titles("&type=card&limit=3")).toEqual(["Card 1300", "Card 1299", "Card 1298"]);
  const comments = await hits(workspace.admin, workspace, "comment", "&type=comment&limit=3");
  expect(comments.map(({ title }) => title)).toEqual(["Card 1300", "Card 1299", "Card 1298"]);
});

test("similar words of hidden boards replace none of visible ones", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [open, hidden] = [await makeBoard(workspace), await makeBoard(workspace)];
  await admin.rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
  for (const letter of "abcdefghijklmnp")
    await makeCard(admin, hidden.lists[0] ?? "", `kangaro${letter}`);
  const card = await makeCard(admin, open.lists[0] ?? "", "kangarouh");
  const member = await join(app(), workspace, "member");
  expect(await found(member, workspace, "kangaroo")).toEqual([card]);
  expect((await found(admin, workspace, "kangaroo")).length).toBe(12);
  expect(await found(admin, workspace, "kangaroo")).not.toContain(card);
});

test("a title is found first, whatever its script and its case", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  const titles = [
    "ΟΔΥΣΣΕΥΣ",
    "İstanbul",
    "STRASSE ẞ",
    "ÀÉ",
    "漢字漢字",
    "🎉🎉",
    "+++",
    "don't \\ x",
    "a  b c",
    "<b>x</b>",
    "%_%",
  ];
  for (const title of titles) await makeCard(admin, list, title);
  const ids = await Promise.all(titles.map((title) => hits(admin, workspace, title)));
  expect(ids.map(([first]) => first?.title)).toEqual(titles);
});
