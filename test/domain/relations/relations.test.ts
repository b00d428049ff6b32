import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

async function makeCards(count: number) {
  const workspace = await makeWorkspace(app());
  const { lists, publicId: board } = await makeBoard(workspace);
  const cards: string[] = [];
  for (let nth = 0; nth < count; nth++) cards.push(await makeCard(workspace.admin, lists[0] ?? ""));
  const { rest } = workspace.admin;
  const relate = (from: number, kind: string, to: number) =>
    rest.post(`/cards/${cards[from]}/relations`, { kind, relatedCardPublicId: cards[to] });
  const shown = async (nth: number) => (await rest.get(`/cards/${cards[nth]}`)).body;
  const inList = async (nth: number) => {
    const { body } = await rest.get(`/boards/${board}`);
    const all = body.lists.flatMap((list: { cards: object[] }) => list.cards);
    return all.find(({ publicId }: { publicId: string }) => publicId === cards[nth]);
  };
  return { workspace, rest, board, lists, cards, relate, shown, inList };
}

test("a relation is shown by both cards, and in lists", async () => {
  const { rest, cards, relate, shown, inList } = await makeCards(2);
  const { version } = await shown(0);
  const answer = await relate(0, "blocks", 1);
  expect(answer).toMatchObject({ status: 200, body: { version } });
  expect(answer.body).toEqual(await shown(0));
  expect(answer.body.relations).toMatchObject([{ kind: "blocks", card: { publicId: cards[1] } }]);
  expect((await shown(1)).relations).toMatchObject([
    { kind: "blockedBy", card: { publicId: cards[0], isComplete: false } },
  ]);
  expect(await inList(1)).toMatchObject({ openBlockers: 1 });
  expect((await relate(0, "blocks", 1)).body.relations).toHaveLength(1);
  expect((await relate(1, "blockedBy", 0)).body.relations).toHaveLength(1);
  await rest.put(`/cards/${cards[0]}`, { isComplete: true });
  expect(await inList(1)).toMatchObject({ openBlockers: 0 });
  await rest.delete(`/cards/${cards[0]}`);
  expect((await shown(1)).relations).toEqual([]);
  await rest.post(`/cards/${cards[0]}/restore`);
  const [{ publicId }] = (await shown(1)).relations;
  expect((await rest.delete(`/cards/${cards[1]}/relations/${publicId}`)).status).toBe(200);
  expect((await shown(0)).relations).toEqual([]);
  const types = (await rest.get(`/cards/${cards[1]}/activities`)).body.items.map(
    ({ type }: { type: string }) => type,
  );
  expect(types).toEqual(["relation.deleted", "relation.created", "card.created"]);
});

test("children have an order, one parent, and at most 5 parents above them", async () => {
  const { workspace, lists, rest, cards, relate, shown, inList } = await makeCards(8);
  for (const child of [1, 2, 3]) await relate(0, "parent", child);
  const { relations } = await shown(0);
  await rest.put(`/cards/${cards[0]}/relations/${relations[0].publicId}`, { index: 2 });
  const order = (await shown(0)).relations.map(({ card }: { card: { publicId: string } }) =>
    cards.indexOf(card.publicId),
  );
  expect(order).toEqual([2, 3, 1]);
  expect(await inList(0)).toMatchObject({ children: { total: 3, completed: 0 } });
  const second = await relate(4, "parent", 1);
  expect(second.body.issues).toMatchObject([{ code: "relation_second_parent" }]);
  const chain = [1, 4, 5, 6, 7];
  for (const [nth, child] of chain.slice(1).entries())
    expect((await relate(chain[nth] ?? 0, "parent", child)).status).toBe(200);
  const input = { kind: "child", relatedCardPublicId: cards[7] };
  const another = await makeCard(workspace.admin, lists[0] ?? "");
  const sixth = await rest.post(`/cards/${another}/relations`, input);
  expect(sixth.body.issues).toMatchObject([{ code: "relation_too_deep" }]);
});

test("a circle is 409 and names the cards on the way that the caller sees", async () => {
  const { cards, relate, shown, rest } = await makeCards(4);
  await relate(0, "blocks", 1);
  await relate(1, "blocks", 2);
  const names = await Promise.all(cards.map(async (_, nth) => (await shown(nth)).cardNumber));
  const circle = await relate(2, "blocks", 0);
  expect(circle).toMatchObject({ status: 409, body: { issues: [{ code: "relation_cycle" }] } });
  const path = [names[2], names[0], names[1], names[2]].join(" → ");
  expect(circle.body.issues[0].message).toContain(path);
  expect((await relate(3, "blocks", 3)).status).toBe(409);
  const byNumber = { kind: "relates", relatedCardPublicId: names[3] };
  const answer = await rest.post(`/cards/${cards[0]}/relations`, byNumber);
  expect(answer).toMatchObject({ status: 200 });
});
