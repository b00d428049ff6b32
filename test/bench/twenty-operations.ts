import { type Api, signUp } from "./api.ts";
import { makeBoardIn } from "./world.ts";

type Named = { publicId: string };
/** A board of 60 cards and what is called on it; `nth` counts the calls. */
type Place = {
  api: Api;
  workspace: string;
  board: string;
  lists: string[];
  labels: string[];
  cards: string[];
};
type Call = (place: Place, nth: number) => Promise<unknown>;

const at = (ids: string[], nth: number) => ids[nth % ids.length] ?? "";

/** The operations that frontends call most: twelve reads and ten writes. */
const operations: Readonly<Record<string, Call>> = {
  "workspace.list": ({ api }) => api.get("/workspaces"),
  "board.list": ({ api, workspace }) => api.get(`/workspaces/${workspace}/boards?limit=50`),
  "board.get": ({ api, board }) => api.get(`/boards/${board}`),
  "board.cards": ({ api, board }) => api.get(`/boards/${board}/cards?limit=50`),
  "list.cards": ({ api, lists }, nth) => api.get(`/lists/${at(lists, nth)}/cards`),
  "card.get": ({ api, cards }, nth) => api.get(`/cards/${at(cards, nth)}`),
  "card.activities": ({ api, cards }, nth) => api.get(`/cards/${at(cards, nth)}/activities`),
  "comment.list": ({ api, cards }, nth) => api.get(`/cards/${at(cards, nth)}/comments`),
  "user.cards": ({ api }) => api.get("/users/me/cards"),
  "workspace.search": ({ api, workspace }) =>
    api.get(`/workspaces/${workspace}/search?query=paragraph`),
  "workspace.trash": ({ api, workspace }) => api.get(`/workspaces/${workspace}/trash`),
  "workspace.events": ({ api, workspace }) => api.get(`/workspaces/${workspace}/events?cursor=now`),
  "card.create": ({ api, lists }, nth) =>
    api.post("/cards", { listPublicId: at(lists, nth), title: `Card ${nth} of the bench` }),
  "card.update": ({ api, cards }, nth) =>
    api.put(`/cards/${at(cards, nth)}`, { description: `Text ${nth}` }),
  "card.move": ({ api, cards, lists }, nth) =>
    api.put(`/cards/${at(cards, nth)}`, { listPublicId: at(lists, nth * 7), index: 0 }),
  "card.toggleLabel": ({ api, cards, labels }, nth) =>
    api.put(`/cards/${at(cards, nth)}/labels/${at(labels, nth)}`, {}),
  "card.watch": ({ api, cards }, nth) =>
    api.put(`/cards/${at(cards, nth)}/watch`, { isWatching: nth % 2 === 0 }),
  "comment.create": ({ api, cards }, nth) =>
    api.post(`/cards/${at(cards, nth)}/comments`, { comment: `Comment ${nth}` }),
  "checklist.create": ({ api, cards }, nth) =>
    api.post(`/cards/${at(cards, nth)}/checklists`, { name: `Steps ${nth}` }),
  "list.create": ({ api, board }, nth) =>
    api.post("/lists", { boardPublicId: board, name: `List ${nth}` }),
  "label.create": ({ api, board }, nth) =>
    api.post("/labels", { boardPublicId: board, name: `L${nth}`, colourCode: "#112233" }),
  "board.create": ({ api, workspace }, nth) =>
    api.post(`/workspaces/${workspace}/boards`, { name: `Board ${nth}`, lists: ["To do"] }),
};

/** A board of 60 cards in a workspace. */
export async function makePlace(api: Api, origin: string, workspace: Named): Promise<Place> {
  const { board } = await makeBoardIn(workspace, api, origin, 60);
  const ids = (items: Named[]) => items.map(({ publicId }) => publicId);
  const { items } = await api.get(`/boards/${board.publicId}/cards?limit=50`);
  return {
    api,
    workspace: workspace.publicId,
    board: board.publicId,
    lists: ids(board.lists),
    labels: ids(board.labels),
    cards: ids(items),
  };
}

/** A user with a workspace of its own, and a board in it. */
export async function makeTenant(origin: string): Promise<Place> {
  const api = await signUp(origin);
  return makePlace(api, origin, await api.post("/workspaces", { name: "Small" }));
}

const median = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Prints a row of a table. */
export const row = (say: (line: string) => void, name: string, cells: string[]): void =>
  say(name.padEnd(20) + cells.map((cell) => cell.padStart(12)).join(""));

/** The median of some calls of each operation in each place, in ms: the places take turns. */
export async function timeOperations(
  places: Readonly<Record<string, Place>>,
  calls: number,
  say: (line: string) => void,
): Promise<void> {
  const names = Object.keys(places);
  row(say, "median, in ms", [...names, ...names.slice(1).map(() => "ratio")]);
  for (const [operation, call] of Object.entries(operations)) {
    const times = new Map<string, number[]>(names.map((name) => [name, []]));
    for (let nth = 0; nth < calls; nth++) {
      for (const [name, place] of Object.entries(places)) {
        const began = performance.now();
        await call(place, nth);
        times.get(name)?.push(performance.now() - began);
      }
    }
    const [first = 0, ...others] = names.map((name) => median(times.get(name) ?? []));
    row(say, operation, [
      ...[first, ...others].map((ms) => ms.toFixed(1)),
      ...others.map((ms) => (ms / first).toFixed(1)),
    ]);
  }
}
