import { expect, test } from "vitest";
import { randomFrom } from "../../property/sync/operations.ts";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

const lists = ["One", "Two", "Three"];

/** A board whose cards and lists have numbers, so that two of them can be compared. */
async function scene(cardsPerList: number) {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const board = await makeBoard(workspace, { lists });
  const cards: string[] = [];
  for (const list of board.lists) {
    for (let n = 0; n < cardsPerList; n++)
      cards.push(await makeCard(workspace.admin, list, `Card ${n}`));
  }
  const { cursor } = await follow(workspace.admin, workspace.publicId);
  const nameOf = new Map([
    ...cards.map((id, nth) => [id, `card ${nth}`] as const),
    ...board.lists.map((id, nth) => [id, `list ${nth}`] as const),
    [board.publicId, "board"],
  ]);
  const named = (value: any): any => {
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== "object" || value === null) return nameOf.get(value) ?? value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, named(one)]));
  };
  /** The events since the start, without what differs between two boards. */
  const events = async () => {
    const { items } = await follow(workspace.admin, workspace.publicId, { cursor });
    return items.map(({ type, data: { card, from, to }, changes }) =>
      named({ type, from, to, changes, ...card, createdAt: 0, updatedAt: 0, cardNumber: 0 }),
    );
  };
  const order = async () => {
    const pages = board.lists.map((id) => rest.get(`/lists/${id}/cards?limit=100`));
    return (await Promise.all(pages)).map(({ body }) =>
      body.items.map((card: any) => nameOf.get(card.publicId)),
    );
  };
  const inputOf = ({ card, list, before, after, ...more }: Change) => ({
    cardPublicId: cards[card],
    ...(list === undefined ? {} : { listPublicId: board.lists[list] }),
    ...(before === undefined ? {} : { beforeCardPublicId: cards[before] }),
    ...(after === undefined ? {} : { afterCardPublicId: cards[after] }),
    ...more,
  });
  const alone = async (changes: Change[]) => {
    for (const change of changes) {
      const { cardPublicId, ...body } = inputOf(change);
      const { status } = await rest.put(`/cards/${cardPublicId}`, body);
      expect(status, JSON.stringify(change)).toBe(200);
    }
  };
  const together = async (changes: Change[]) => {
    const operations = changes.map((one) => ({ operation: "card.update", input: inputOf(one) }));
    const path = `/workspaces/${workspace.publicId}/batch`;
    const { status, body } = await rest.post(path, { operations });
    expect(status, JSON.stringify(body)).toBe(200);
  };
  return { alone, together, events, order, inputOf, workspace };
}

type Change = {
  card: number;
  list?: number;
  before?: number;
  after?: number;
  index?: number;
  title?: string;
  isArchived?: boolean;
};

const { below } = randomFrom(1);

/** A random change of a card that is possible whatever came before it. */
function randomChange(card: number): Change {
  const kind = below(6);
  if (kind === 0) return { card, title: `Title ${below(100)}` };
  if (kind === 1) return { card, isArchived: below(2) === 0 };
  if (kind === 2) return { card, list: below(lists.length) };
  if (kind === 3) return { card, index: below(8) };
  return { card, list: below(lists.length), index: below(8), title: `T${below(9)}` };
}

/** Cards in a random order, some of them more than once. */
const randomCards = (count: number, cards: number) =>
  Array.from({ length: count }, () => below(cards));

test("a batch has the events and the order of the same calls made alone", async () => {
  const [one, other] = [await scene(5), await scene(5)];
  for (let round = 0; round < 6; round++) {
    const changes = randomCards(25, 15).map(randomChange);
    await one.alone(changes);
    await other.together(changes);
    expect(await other.order()).toEqual(await one.order());
  }
  expect(await other.events()).toEqual(await one.events());
});

test("moves beside cards that the batch has moved find them where they are", async () => {
  const [one, other] = [await scene(4), await scene(4)];
  const changes: Change[] = [
    { card: 0, list: 1 },
    { card: 4, list: 1, before: 0 },
    { card: 5, list: 1, after: 0 },
    { card: 6, list: 0, before: 1 },
    { card: 1, isArchived: true },
    { card: 2, list: 0, after: 1 },
    { card: 3, list: 0, after: 6 },
    { card: 8, list: 0, before: 1 },
  ];
  await one.alone(changes);
  await other.together(changes);
  expect(await other.order()).toEqual(await one.order());
  expect(await other.events()).toEqual(await one.events());
});

test("a neighbour that is not in the list is a conflict at its index", async () => {
  const { workspace, inputOf } = await scene(4);
  const changes = [
    { card: 0, index: 1 },
    { card: 1, index: 1 },
    { card: 2, list: 0, after: 9 },
  ];
  const operations = changes.map((one) => ({ operation: "card.update", input: inputOf(one) }));
  const path = `/workspaces/${workspace.publicId}/batch`;
  expect(await workspace.admin.rest.post(path, { operations })).toMatchObject({
    status: 409,
    body: { failedAt: 2, issues: [{ code: "anchor_missing" }] },
  });
});

test("moves into one gap stay in order when the list gets new positions", async () => {
  const [one, other] = [await scene(20), await scene(20)];
  for (let round = 0; round < 6; round++) {
    const changes = Array.from({ length: 59 }, (_, nth) => ({ card: nth + 1, list: 0, index: 1 }));
    await one.together(changes.slice(0, 2));
    await one.alone(changes.slice(2));
    await other.together(changes);
    expect(await other.order()).toEqual(await one.order());
  }
});
