import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function scene(count: number) {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const list = board.lists[0] ?? "";
  const cards: string[] = [];
  for (let nth = 0; nth < count; nth++) cards.push(await makeCard(workspace.admin, list));
  const { rest } = workspace.admin;
  const relate = (from: string | undefined, kind: string, to: string | undefined) =>
    rest.post(`/cards/${from}/relations`, { kind, relatedCardPublicId: to });
  const next = async () =>
    (await rest.post(`/boards/${board.publicId}/cards/next`, {})).body.card?.publicId ?? null;
  const found = async (query: string) => {
    const { body } = await rest.get(`/boards/${board.publicId}/cards?${query}`);
    return body.items.map(({ publicId }: { publicId: string }) => cards.indexOf(publicId));
  };
  return { workspace, board, list, cards, rest, relate, next, found };
}

test("a card is not ready before its blockers are complete", async () => {
  const { cards, rest, relate, next } = await scene(3);
  await relate(cards[2], "blocks", cards[0]);
  const { cardNumber } = (await rest.get(`/cards/${cards[2]}`)).body;
  const claimed = await rest.post(`/cards/${cards[0]}/claim`, {});
  expect(claimed).toMatchObject({
    status: 409,
    body: { issues: [{ code: "card_not_ready", message: expect.stringContaining(cardNumber) }] },
  });
  expect(await next()).toBe(cards[1]);
  expect(await next()).toBe(cards[2]);
  expect(await next()).toBeNull();
  await rest.put(`/cards/${cards[2]}`, { isComplete: true });
  expect(await next()).toBe(cards[0]);
});

test("a blocker that is archived, in the trash, or not seen by the caller blocks nothing", async () => {
  const { workspace, cards, rest, relate } = await scene(3);
  const member = await join(app(), workspace, "member");
  const hidden = await makeBoard(workspace);
  await rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
  const secret = await makeCard(workspace.admin, hidden.lists[0] ?? "");
  await relate(secret, "blocks", cards[0]);
  expect((await rest.post(`/cards/${cards[0]}/claim`, {})).status).toBe(409);
  expect((await member.rest.post(`/cards/${cards[0]}/claim`, {})).status).toBe(200);
  await relate(cards[1], "blocks", cards[2]);
  const claim = async () => (await rest.post(`/cards/${cards[2]}/claim`, {})).status;
  expect(await claim()).toBe(409);
  await rest.put(`/cards/${cards[1]}`, { isArchived: true });
  expect(await claim()).toBe(200);
});

test("listings are filtered by relations", async () => {
  const { cards, rest, relate, found, board } = await scene(5);
  await relate(cards[0], "parent", cards[1]);
  await relate(cards[0], "parent", cards[2]);
  await relate(cards[1], "blocks", cards[2]);
  await rest.post(`/cards/${cards[4]}/claim`, {});
  expect(await found(`parent=${cards[0]}`)).toEqual([1, 2]);
  expect(await found(`blocks=${cards[2]}`)).toEqual([1]);
  expect(await found("isBlocked=true")).toEqual([2]);
  expect(await found("isReady=true")).toEqual([0, 1, 3]);
  expect(await found("isReady=false")).toEqual([2, 4]);
  expect(await found("hasChildren=true")).toEqual([0]);
  await rest.put(`/cards/${cards[1]}`, { isComplete: true });
  expect(await found("isBlocked=true")).toEqual([]);
  const { body } = await rest.get(`/boards/${board.publicId}/groups?groupBy=parent`);
  expect(body.groups.map(({ key, count }: { key: string; count: number }) => [key, count])).toEqual(
    [
      [cards[0], 2],
      ["none", 3],
    ],
  );
});

test("a board can refuse that cards with open work are completed", async () => {
  const { workspace, board, cards, rest, relate } = await scene(4);
  await relate(cards[0], "parent", cards[1]);
  await relate(cards[2], "blocks", cards[3]);
  const complete = (nth: number, more: object = {}) =>
    rest.put(`/cards/${cards[nth]}`, { isComplete: true, ...more });
  const reopen = (nth: number) => rest.put(`/cards/${cards[nth]}`, { isComplete: false });
  expect((await complete(0)).status).toBe(200);
  await reopen(0);
  const path = `/boards/${board.publicId}`;
  expect((await rest.get(path)).body.openWorkMode).toBe("off");
  await rest.put(path, { openWorkMode: "block" });
  for (const nth of [0, 3])
    expect(await complete(nth)).toMatchObject({
      status: 409,
      body: { issues: [{ code: "open_work" }] },
    });
  const set = { isComplete: true };
  const both = { cardPublicIds: [cards[0], cards[1]], set };
  expect(
    (await rest.post(`${path}/cards/bulk`, { ...both, cardPublicIds: [cards[0]] })).status,
  ).toBe(409);
  expect((await rest.post(`${path}/cards/bulk`, both)).body).toMatchObject({ changed: 2 });
  expect((await complete(3, { override: true })).status).toBe(200);
  const member = await join(app(), workspace, "member");
  await reopen(3);
  const copy = { name: "Copy", sourceBoardPublicId: board.publicId };
  const copied = await rest.post(`/workspaces/${workspace.publicId}/boards`, copy);
  expect(copied.body.openWorkMode).toBe("block");
  expect((await member.rest.put(`/cards/${cards[3]}`, { isComplete: true })).status).toBe(409);
});
