import { beforeEach, expect, test } from "vitest";
import { sql, type Sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import type { Board, User, Workspace } from "../../support/make.ts";

const app = useApp({ isolated: true });
const minute = 60_000;
type Member = User & { memberPublicId: string };
let workspace: Workspace;
let board: Board;
let [ann, bob]: Member[] = [];
let card = "";

beforeEach(async () => {
  app().resetClock();
  workspace = await makeWorkspace(app());
  board = await makeBoard(workspace);
  [ann, bob] = [await join(app(), workspace, "member"), await join(app(), workspace, "member")];
  card = await makeCard(workspace.admin, board.lists[0] ?? "");
});

const claim = (who = ann, body: object = {}) => who?.rest.post(`/cards/${card}/claim`, body);
const renew = (who = ann, body: object = {}) => who?.rest.put(`/cards/${card}/claim`, body);
const release = (who: User | undefined = ann) => who?.rest.delete(`/cards/${card}/claim`);
const read = async () => (await workspace.admin.rest.get(`/cards/${card}`)).body;
const inMinutes = (minutes: number) =>
  new Date(app().deps.clock().getTime() + minutes * minute).toISOString();
const codeOf = (reply: { body: any } | undefined) => reply?.body.issues[0].code;

test("a claim shows its member and its end on the card, in lists and on the board", async () => {
  const reply = await claim();
  expect(reply?.status).toBe(200);
  const member = { publicId: ann?.memberPublicId, name: "A member", image: null };
  const shown = { member, expiresAt: expect.any(String) };
  expect(reply?.body.claim).toEqual(shown);
  const { expiresAt } = reply?.body.claim ?? {};
  const lease = new Date(expiresAt).getTime() - app().deps.clock().getTime();
  expect(Math.abs(lease - 15 * minute)).toBeLessThan(minute);
  expect(await read()).toEqual({ ...reply?.body, isWatching: false });
  const { rest } = workspace.admin;
  const found = await Promise.all([
    rest.get(`/lists/${board.lists[0]}/cards`),
    rest.get(`/boards/${board.publicId}/cards`),
  ]);
  for (const { body } of found) expect(body.items[0].claim).toEqual({ member, expiresAt });
  const whole = await rest.get(`/boards/${board.publicId}`);
  expect(whole.body.lists[0].cards[0].claim).toEqual({ member, expiresAt });
});

test("a claimed card cannot be claimed, not even by its holder", async () => {
  await claim();
  const [again, other] = [await claim(), await claim(bob)];
  expect([again?.status, other?.status]).toEqual([409, 409]);
  expect([codeOf(again), codeOf(other)]).toEqual(["card_claimed", "card_claimed"]);
  expect((await read()).claim.member.publicId).toBe(ann?.memberPublicId);
});

test("a complete or archived card, or one of an archived list or board, cannot be claimed", async () => {
  const { rest } = workspace.admin;
  const states: [path: string, field: string][] = [
    [`/cards/${card}`, "isComplete"],
    [`/cards/${card}`, "isArchived"],
    [`/lists/${board.lists[0]}`, "isArchived"],
    [`/boards/${board.publicId}`, "isArchived"],
  ];
  for (const [path, field] of states) {
    expect((await rest.put(path, { [field]: true })).status).toBe(200);
    const refused = await claim();
    expect([refused?.status, codeOf(refused)]).toEqual([409, "card_not_ready"]);
    expect((await rest.put(path, { [field]: false })).status).toBe(200);
  }
  expect((await claim())?.status).toBe(200);
});

test("a claim does not keep others from editing the card", async () => {
  await claim();
  expect((await bob?.rest.put(`/cards/${card}`, { title: "Other" }))?.status).toBe(200);
});

test("an expired claim frees the card, and the next claim takes it over", async () => {
  await claim(ann, { minutes: 1 });
  app().advance(minute + 1);
  expect((await read()).claim.member.publicId).toBe(ann?.memberPublicId);
  expect(codeOf(await renew())).toBe("claim_lost");
  expect((await claim(bob))?.status).toBe(200);
  expect((await read()).claim.member.publicId).toBe(bob?.memberPublicId);
});

test("only the holder renews a claim, from now on", async () => {
  await claim(ann, { minutes: 1 });
  expect(codeOf(await renew(bob))).toBe("claim_lost");
  app().advance(minute / 2);
  const before = inMinutes(10);
  const { body } = (await renew(ann, { minutes: 10 })) ?? {};
  expect(body.claim.expiresAt >= before).toBe(true);
  app().advance(5 * minute);
  expect((await claim(bob))?.status).toBe(409);
});

test("a lease lasts from a minute to a day", async () => {
  for (const minutes of [0, 1_441, 1.5]) {
    expect((await claim(ann, { minutes }))?.status).toBe(400);
  }
  expect((await claim(ann, { minutes: 1_440 }))?.status).toBe(200);
});

test("a released card can be claimed; releasing twice changes nothing", async () => {
  await claim();
  expect((await release())?.body.claim).toBeNull();
  const { version } = await read();
  expect((await release())?.body).toMatchObject({ claim: null, version });
  expect((await claim(bob))?.status).toBe(200);
});

test("another's claim is released only with list:edit", async () => {
  const lacking = { permission: "list:edit" };
  const path = `/workspaces/${workspace.publicId}/members/${bob?.memberPublicId}/permissions`;
  await workspace.admin.rest.post(`${path}/revoke`, lacking);
  await claim();
  const refused = await release(bob);
  expect([refused?.status, codeOf(refused)]).toEqual([403, "list:edit"]);
  expect((await release(workspace.admin))?.body.claim).toBeNull();
});

test("who may not edit cards may not claim one", async () => {
  const guest = await join(app(), workspace, "guest");
  expect((await claim(guest))?.status).toBe(403);
});

test("history and feed show claims; the history leaves out renewals", async () => {
  await claim();
  await renew();
  await release(workspace.admin);
  const { rest } = workspace.admin;
  const { items } = (await rest.get(`/workspaces/${workspace.publicId}/events?limit=100`)).body;
  const claims = items.filter(({ type }: any) => type.startsWith("card.claim"));
  expect(claims.map(({ type }: any) => type)).toEqual([
    "card.claimed",
    "card.claim_renewed",
    "card.claim_released",
  ]);
  expect(claims.map(({ data }: any) => data.member.publicId)).toEqual(
    [ann, ann, ann].map((member) => member?.memberPublicId),
  );
  expect(claims.map(({ data }: any) => data.card.claim !== null)).toEqual([true, true, false]);
  const history = (await rest.get(`/cards/${card}/activities`)).body.items;
  const types = history.map(({ type }: any) => type);
  expect(types).toContain("card.claimed");
  expect(types).toContain("card.claim_released");
  expect(types).not.toContain("card.claim_renewed");
});

test("a stale If-Match refuses a claim", async () => {
  const { version } = await read();
  await bob?.rest.put(`/cards/${card}`, { title: "Other" });
  const headers = { "If-Match": `"${version}"` };
  expect((await ann?.rest.post(`/cards/${card}/claim`, {}, { headers }))?.status).toBe(412);
});

test("a batch claims and releases", async () => {
  const other = await makeCard(workspace.admin, board.lists[0] ?? "");
  await ann?.rest.post(`/cards/${other}/claim`, {});
  const operations = [
    { operation: "card.claim", input: { cardPublicId: card, minutes: 5 } },
    { operation: "card.releaseClaim", input: { cardPublicId: other } },
  ];
  const reply = await ann?.rest.post(`/workspaces/${workspace.publicId}/batch`, { operations });
  expect(reply?.status).toBe(200);
  expect((await read()).claim.member.publicId).toBe(ann?.memberPublicId);
});

test("a claim survives moves, archiving and the trash, and no copy has it", async () => {
  const { body } = (await claim()) ?? {};
  const { rest } = workspace.admin;
  await rest.put(`/cards/${card}`, { listPublicId: board.lists[1], isArchived: true });
  await rest.delete(`/cards/${card}`);
  await rest.post(`/cards/${card}/restore`);
  expect((await read()).claim).toEqual(body.claim);
  const copy = await rest.post(`/cards/${card}/duplicate`, {});
  expect(copy.body.claim).toBeNull();
});

test("the claims of a removed member end", async () => {
  await claim();
  await workspace.admin.rest.delete(
    `/workspaces/${workspace.publicId}/members/${ann?.memberPublicId}`,
  );
  expect((await read()).claim).toBeNull();
  expect((await claim(bob))?.status).toBe(200);
});

test("the database keeps the member of a claim and its end together", async () => {
  await claim();
  const { db } = app().deps;
  const isCard = sql`"publicId" = ${card}`;
  const change = (to: Sql) => db.write(sql`UPDATE cards SET ${to} WHERE ${isCard}`);
  await expect(change(sql`"claimExpiresAt" = NULL`)).rejects.toThrow("cards_claim_check");
  await db.write(sql`DELETE FROM members WHERE "publicId" = ${ann?.memberPublicId ?? ""}`);
  const [row] = await db.read(
    sql`SELECT "claimedById", "claimExpiresAt" FROM cards WHERE ${isCard}`,
  );
  expect(row).toEqual({ claimedById: null, claimExpiresAt: null });
  await expect(change(sql`"claimExpiresAt" = now()`)).rejects.toThrow("cards_claim_check");
});

test("a board that moves to another workspace loses its claims", async () => {
  const other = await makeWorkspace(app(), workspace.admin);
  await claim();
  const target = { workspacePublicId: other.publicId };
  const moved = await workspace.admin.rest.post(`/boards/${board.publicId}/move`, target);
  expect(moved.status).toBe(200);
  expect((await read()).claim).toBeNull();
});
