import type { Api } from "./api.ts";
import { type Calls, connections } from "./load.ts";
import { makeBoard, makeCard, makeLists } from "./world.ts";

/** Where the data of a case is created; a smoke run makes small boards. */
export type World = { origin: string; databaseUrl: string; isSmoke: boolean };

/**
 * One measured case. A new case needs an entry here and, where the floor lacks it, a route there.
 */
export type Case = {
  name: string;
  /** How many connections call, where it is not the usual number. */
  count?: number;
  /** Whether the connections are divided among two instances. */
  inTwo?: true;
  /** Creates the data of the case. The function that it returns makes the calls of each round. */
  prepare: (api: Api, at: World) => Promise<() => Calls | Promise<Calls>>;
};

/** The same GET on every connection. */
export const reading =
  (path: (api: Api, at: World) => Promise<string> | string): Case["prepare"] =>
  async (api, at) => {
    const call = { method: "GET", path: `/api/v1${await path(api, at)}` } as const;
    return () => () => call;
  };

const creating =
  (together: boolean): Case["prepare"] =>
  async (api) =>
  async () => {
    const boards = together ? 1 : connections;
    const lists = (await makeLists(api, { boards, lists: 1, together })).flat();
    const bodies = Array.from({ length: connections }, (_, connection) =>
      JSON.stringify({
        listPublicId: lists[connection % lists.length],
        title: "A new card, with a title of the usual length",
        description: "And a sentence about it.",
      }),
    );
    return (connection) => ({
      method: "POST",
      path: "/api/v1/cards",
      body: bodies[connection] ?? "",
    });
  };

/** Each connection has two lists of 20 cards, and moves one card between them, to the middle. */
const moving: Case["prepare"] = async (api, { isSmoke }) => {
  const pairs = await makeLists(api, { boards: connections, lists: 2, together: true });
  const moves: { path: string; bodies: string[]; turn: number }[] = [];
  for (const pair of pairs) {
    const cards: string[] = [];
    for (let index = 0; index < (isSmoke ? 24 : 40); index++) {
      const title = `Card ${index}`;
      const card = await api.post("/cards", { listPublicId: pair[index % 2], title });
      cards.push(card.publicId);
    }
    const bodies = pair.map((listPublicId) => JSON.stringify({ listPublicId, index: 10 }));
    moves.push({ path: `/api/v1/cards/${cards[0]}`, bodies, turn: 0 });
  }
  return () => (connection) => {
    const move = moves[connection];
    if (move === undefined) throw new Error("More connections than moves.");
    const body = move.bodies[++move.turn % 2] ?? "";
    return { method: "PUT", path: move.path, body };
  };
};

/** The cases that the floor answers too, in order. */
export const comparedCases: Case[] = [
  { name: "health", prepare: reading(() => "/health") },
  {
    name: "workspace.list",
    prepare: reading(async (api) => {
      for (const name of ["One", "Two", "Three"]) await api.post("/workspaces", { name });
      return "/workspaces";
    }),
  },
  {
    name: "card.get",
    prepare: reading(async (api, { origin }) => `/cards/${(await makeCard(api, origin)).publicId}`),
  },
  {
    name: "board.get (500 cards)",
    prepare: reading(async (api, { origin, isSmoke }) => {
      const { board } = await makeBoard(api, origin, isSmoke ? 60 : 500);
      return `/boards/${board.publicId}`;
    }),
  },
  { name: "card.create", prepare: creating(false) },
  { name: "card.create (one list)", prepare: creating(true) },
  { name: "card.move", prepare: moving },
];
