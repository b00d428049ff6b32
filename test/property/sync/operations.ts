import type { User } from "../../support/make.ts";

type Any = any;

/** A source of random numbers with a seed. */
export function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    flip: () => next() < 0.5,
    pick: <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)],
    name: () => `n${String(below(1_000_000)).padStart(6, "0")}`,
  };
}

/** A source of random numbers. */
export type Random = ReturnType<typeof randomFrom>;

/** What the operations know: the ids of everything that was created. */
export type Known = {
  workspace: string;
  boards: string[];
  lists: string[];
  cards: string[];
  labels: string[];
  checklists: string[];
  items: string[];
  comments: { card: string; id: string }[];
  attachments: string[];
  members: string[];
};

type Call = { method: "get" | "post" | "put" | "delete"; path: string; body?: object };
type Operation = (known: Known, random: Random) => Call | undefined;

const put = (path: string, body?: object): Call => ({ method: "put", path, ...(body && { body }) });
const post = (path: string, body: object = {}): Call => ({ method: "post", path, body });
const remove = (path: string): Call => ({ method: "delete", path });

/** The changes of one call to a card: often several at a time. */
function cardChanges(known: Known, random: Random) {
  const fields: [string, () => unknown][] = [
    ["title", random.name],
    ["description", () => (random.flip() ? random.name() : null)],
    ["dueDate", () => (random.flip() ? "2026-03-01T10:00:00Z" : null)],
    ["isComplete", random.flip],
    ["isArchived", random.flip],
    ["index", () => random.below(5)],
    ["listPublicId", () => random.pick(known.lists)],
  ];
  const chosen = fields.filter(() => random.below(3) === 0);
  return Object.fromEntries(chosen.map(([name, value]) => [name, value()]));
}

/** The operations, the more frequent ones several times. */
const operations: Operation[] = [
  ...Array.from(
    { length: 4 },
    (): Operation => (known, random) =>
      post("/cards", {
        title: random.name(),
        listPublicId: random.pick(known.lists),
        ...(random.flip() ? { index: random.below(4) } : {}),
        ...(random.flip() ? { checklists: [{ name: "c", items: ["one", "two"] }] } : {}),
      }),
  ),
  ...Array.from(
    { length: 8 },
    (): Operation => (known, random) =>
      put(`/cards/${random.pick(known.cards)}`, cardChanges(known, random)),
  ),
  ...Array.from(
    { length: 3 },
    (): Operation => (known, random) =>
      put(`/cards/${random.pick(known.cards)}/labels/${random.pick(known.labels)}`),
  ),
  ...Array.from(
    { length: 3 },
    (): Operation => (known, random) =>
      put(`/cards/${random.pick(known.cards)}/members/${random.pick(known.members)}`),
  ),
  (known, random) => remove(`/cards/${random.pick(known.cards)}`),
  (known, random) => post(`/cards/${random.pick(known.cards)}/restore`),
  (known, random) =>
    post(`/cards/${random.pick(known.cards)}/duplicate`, {
      listPublicId: random.pick(known.lists),
      withMembers: true,
      withComments: true,
    }),
  (known, random) => post(`/cards/${random.pick(known.cards)}/comments`, { comment: "text" }),
  (known, random) => {
    const { card, id } = random.pick(known.comments) ?? {};
    return remove(`/cards/${card}/comments/${id}`);
  },
  (known, random) =>
    post(`/cards/${random.pick(known.cards)}/checklists`, { name: "c", items: ["a", "b"] }),
  (known, random) => post(`/checklists/${random.pick(known.checklists)}/items`, { title: "i" }),
  (known, random) =>
    put(`/checklists/items/${random.pick(known.items)}`, {
      completed: random.flip(),
      title: random.name(),
    }),
  (known, random) => remove(`/checklists/items/${random.pick(known.items)}`),
  (known, random) => remove(`/checklists/${random.pick(known.checklists)}`),
  (known, random) => remove(`/attachments/${random.pick(known.attachments)}`),
  (known, random) =>
    post("/lists", {
      name: random.name(),
      boardPublicId: random.pick(known.boards),
      index: random.below(4),
    }),
  ...Array.from(
    { length: 3 },
    (): Operation => (known, random) =>
      put(`/lists/${random.pick(known.lists)}`, {
        ...(random.flip() ? { name: random.name() } : {}),
        ...(random.flip() ? { index: random.below(5) } : {}),
        ...(random.below(3) === 0 ? { isArchived: random.flip() } : {}),
      }),
  ),
  (known, random) => remove(`/lists/${random.pick(known.lists)}`),
  (known, random) => post(`/lists/${random.pick(known.lists)}/restore`),
  (known, random) => post(`/lists/${random.pick(known.lists)}/restore`),
  (known, random) =>
    post(`/lists/${random.pick(known.lists)}/sort`, {
      by: random.pick(["title", "dueDate", "createdAt"]),
      order: random.pick(["asc", "desc"]),
    }),
  (known, random) =>
    post(`/lists/${random.pick(known.lists)}/move-cards`, {
      targetListPublicId: random.pick(known.lists),
    }),
  (known, random) =>
    post("/labels", {
      name: random.name(),
      colourCode: "#aabbcc",
      boardPublicId: random.pick(known.boards),
    }),
  (known, random) =>
    put(`/labels/${random.pick(known.labels)}`, { name: random.name(), colourCode: "#ccbbaa" }),
  (known, random) => remove(`/labels/${random.pick(known.labels)}`),
  (known, random) =>
    put(`/workspaces/${known.workspace}`, { cardPrefix: random.pick(["AB", "CD", "EF"]) }),
  (_, random) => put("/users/me", { name: random.name() }),
  (known, random) =>
    put(`/boards/${random.pick(known.boards)}`, {
      name: random.name(),
      ...(random.flip() ? { isArchived: random.flip() } : {}),
    }),
  (known, random) =>
    post(`/workspaces/${known.workspace}/boards`, {
      name: random.name(),
      ...(random.flip()
        ? { lists: ["x"] }
        : { sourceBoardPublicId: random.pick(known.boards.slice(0, 2)) }),
    }),
];

/** Performs a random operation as a caller; it may be refused, but it must not fail. */
export async function perform(known: Known, random: Random, who: User): Promise<string> {
  const call = random.pick(operations)?.(known, random);
  if (call === undefined) return "nothing";
  const { method, path, body } = call;
  const reply = await (method === "get" ? who.rest.get(path) : who.rest[method](path, body));
  const text = `${method} ${path} ${JSON.stringify(body)} → ${reply.status}`;
  if (reply.status >= 500) throw new Error(text);
  if (reply.status === 200) remember(known, path, reply.body);
  return text;
}

function remember(known: Known, path: string, body: Any): void {
  if (path === "/cards" || path.endsWith("/duplicate")) {
    known.cards.push(body.publicId);
    for (const { publicId, items } of body.checklists) {
      known.checklists.push(publicId);
      known.items.push(...items.map((item: Any) => item.publicId));
    }
  } else if (path === "/lists") known.lists.push(body.publicId);
  else if (path === "/labels") known.labels.push(body.publicId);
  else if (path.endsWith("/comments"))
    known.comments.push({ card: path.split("/")[2] ?? "", id: body.publicId });
  else if (path.endsWith("/checklists")) {
    known.checklists.push(body.publicId);
    known.items.push(...body.items.map((item: Any) => item.publicId));
  } else if (path.endsWith("/items")) known.items.push(body.publicId);
  else if (path.endsWith("/boards")) {
    known.boards.push(body.publicId);
    known.lists.push(...body.lists.map((list: Any) => list.publicId));
    known.labels.push(...body.labels.map((label: Any) => label.publicId));
  }
}
