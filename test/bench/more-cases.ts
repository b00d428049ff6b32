import { addCards, spreadCards } from "./add-cards.ts";
import type { Api } from "./api.ts";
import { reading, type Case, type World } from "./cases.ts";
import { connections, type Call } from "./load.ts";
import { makeBoard, makeLists } from "./world.ts";

/** A board with one list of `count` cards, which a smoke run has fewer of. */
async function makeLongList(api: Api, { databaseUrl, isSmoke }: World, count: number) {
  const [[list = ""] = []] = await makeLists(api, { boards: 1, lists: 1, together: true });
  await addCards(databaseUrl, list, isSmoke ? Math.min(count, 20) : count);
  const [{ workspace }] = await api.get("/workspaces");
  return { list, workspace: workspace.publicId as string };
}

/** One write per connection and turn, on a card of its own. */
const writing =
  (call: (card: string, label: string) => Call): Case["prepare"] =>
  async (api, { origin }) => {
    const { board } = await makeBoard(api, origin, connections);
    const calls: Call[] = [];
    for (const { publicId } of board.lists) {
      const { items } = await api.get(`/lists/${publicId}/cards`);
      for (const card of items) calls.push(call(card.publicId, board.labels[0].publicId));
    }
    return () => (connection) => {
      const one = calls[connection];
      if (one === undefined) throw new Error("More connections than cards.");
      return one;
    };
  };

/** Moves of cards within one list of `count` cards, by one client or by all. */
const movingWithin =
  (count: number, movers = 1): Case["prepare"] =>
  async (api, at) => {
    const { list } = await makeLongList(api, at, count);
    const { items } = await api.get(`/lists/${list}/cards?limit=20`);
    let turn = 0;
    return () => (connection) => ({
      method: "PUT",
      path: `/api/v1/cards/${items[connection % movers].publicId}`,
      body: JSON.stringify({ index: (++turn * 3) % Math.min(items.length, 20) }),
    });
  };

/** Moves of 20 cards between two lists, by all clients. */
const movingBetween: Case["prepare"] = async (api) => {
  const [lists = []] = await makeLists(api, { boards: 1, lists: 2, together: true });
  const cards: string[] = [];
  for (let index = 0; index < 20; index++) {
    const card = await api.post("/cards", { listPublicId: lists[index % 2], title: "A card" });
    cards.push(card.publicId);
  }
  let turn = 0;
  return () => (connection) => ({
    method: "PUT",
    path: `/api/v1/cards/${cards[connection % cards.length]}`,
    body: JSON.stringify({ listPublicId: lists[++turn % 2], index: 3 }),
  });
};

/** One batch of 100 changed cards of one list. */
const batch =
  (change: (turn: number) => object): Case["prepare"] =>
  async (api, at) => {
    const { list, workspace } = await makeLongList(api, at, 100);
    const { items } = await api.get(`/lists/${list}/cards?limit=100`);
    let turn = 0;
    return () => () => ({
      method: "POST",
      path: `/api/v1/workspaces/${workspace}/batch`,
      body: JSON.stringify({
        operations: items.map(({ publicId }: any) => ({
          operation: "card.update",
          input: { cardPublicId: publicId, ...change(++turn) },
        })),
      }),
    });
  };

/** Five reads of cards in one HTTP request. */
const trpcBatch: Case["prepare"] = async (api, at) => {
  const { list } = await makeLongList(api, at, 5);
  const { items } = await api.get(`/lists/${list}/cards`);
  const inputs = items
    .slice(0, 5)
    .map(({ publicId }: any, index: number) => [index, { cardPublicId: publicId }]);
  const names = inputs.map(() => "card.get").join();
  const input = encodeURIComponent(JSON.stringify(Object.fromEntries(inputs)));
  return () => () => ({ method: "GET", path: `/trpc/${names}?batch=1&input=${input}` });
};

const creatingInOneList: Case["prepare"] = async (api, at) => {
  const { list } = await makeLongList(api, at, 1);
  const body = JSON.stringify({ listPublicId: list, title: "A new card" });
  return () => () => ({ method: "POST", path: "/api/v1/cards", body });
};

const filter = {
  and: [
    { field: "isComplete", op: "is", value: false },
    { field: "priority", op: "gte", value: "low" },
    { field: "text", op: "contains", value: "to be done" },
  ],
};
const sortBy = [{ field: "priority", order: "desc" }, { field: "dueDate" }];

/** A page of a board of 50,000 cards: as it is, or those that pass a filter, in an order. */
const listing = (query: object): Case["prepare"] =>
  reading(async (api, at) => {
    const { list, workspace } = await makeLongList(api, at, 50_000);
    await spreadCards(at.databaseUrl, workspace);
    const { items } = await api.get(`/lists/${list}/cards?limit=1`);
    const { boardPublicId } = await api.get(`/cards/${items[0].publicId}`);
    const given = Object.entries(query).map(
      ([name, value]) => `&${name}=${encodeURIComponent(JSON.stringify(value))}`,
    );
    return `/boards/${boardPublicId}/cards?limit=50${given.join("")}`;
  });

/** The cases of the service alone: how it grows, and what the floor does not have. */
export const moreCases: Case[] = [
  {
    name: "card.toggleLabel",
    prepare: writing((card, label) => ({
      method: "PUT",
      path: `/api/v1/cards/${card}/labels/${label}`,
    })),
  },
  {
    name: "comment.create",
    prepare: writing((card) => ({
      method: "POST",
      path: `/api/v1/cards/${card}/comments`,
      body: JSON.stringify({ comment: "A comment of the usual length, on one line." }),
    })),
  },
  ...[3_000, 100_000].map((cards) => ({
    name: `workspace.search (${cards.toLocaleString("en")} cards)`,
    prepare: reading(async (api, at) => {
      const { workspace } = await makeLongList(api, at, cards);
      return `/workspaces/${workspace}/search?query=what%20is`;
    }),
  })),
  { name: "board.cards (50,000 cards)", prepare: listing({}) },
  { name: "board.cards (50,000 cards, filter, sorted)", prepare: listing({ filter, sortBy }) },
  ...[10, 1_000, 5_000].map((cards) => ({
    name: `card.move (list of ${cards.toLocaleString("en")}, one client)`,
    count: 1,
    prepare: movingWithin(cards),
  })),
  { name: "card.move (16 clients, one list of 40)", prepare: movingWithin(40, connections) },
  { name: "card.move (32 clients, two lists of 10)", count: 32, prepare: movingBetween },
  {
    name: "workspace.batch (100 writes)",
    count: 2,
    prepare: batch((turn) => ({ title: `Title ${turn}` })),
  },
  {
    name: "workspace.batch (100 moves)",
    count: 2,
    prepare: batch((turn) => ({ index: (turn * turn) % 89 })),
  },
  { name: "tRPC batch of 5 card.get", prepare: trpcBatch },
  {
    name: "workspace.snapshot (20,000 cards)",
    count: 1,
    prepare: reading(async (api, at) => {
      const { workspace } = await makeLongList(api, at, 20_000);
      return `/workspaces/${workspace}/snapshot`;
    }),
  },
  { name: "card.create (one list, two instances)", inTwo: true, prepare: creatingInOneList },
];
