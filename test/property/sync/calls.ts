import type { Known, Random } from "./operations.ts";

/** A call of the REST API. */
export type Call = { method: "get" | "post" | "put" | "delete"; path: string; body?: object };
/** A random call; undefined where nothing can be called. */
export type Operation = (known: Known, random: Random) => Call | undefined;

const put = (path: string, body?: object): Call => ({ method: "put", path, ...(body && { body }) });
export const post = (path: string, body: object = {}): Call => ({ method: "post", path, body });
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

/** Calls that change one resource, the more frequent ones several times. */
export const calls: Operation[] = [
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
  (known, random) => post(`/cards/${random.pick(known.cards)}/claim`),
  (known, random) => put(`/cards/${random.pick(known.cards)}/claim`),
  (known, random) => remove(`/cards/${random.pick(known.cards)}/claim`),
  (known, random) => post(`/boards/${random.pick(known.boards)}/cards/next`),
  (known, random) => remove(`/cards/${random.pick(known.cards)}`),
  (known, random) => post(`/cards/${random.pick(known.cards)}/restore`),
  (known, random) =>
    post(`/cards/${random.pick(known.cards)}/duplicate`, {
      listPublicId: random.pick(known.lists),
      withMembers: true,
      withComments: true,
    }),
  ...Array.from({ length: 4 }, (): Operation => (known, random) => {
    const kind = random.pick(["blocks", "blockedBy", "parent", "child", "relates"]);
    const input = { kind, relatedCardPublicId: random.pick(known.cards) };
    return post(`/cards/${random.pick(known.cards)}/relations`, input);
  }),
  ...Array.from({ length: 2 }, (): Operation => (known, random) => {
    const relation = (kind: string) => [{ kind, relatedCardPublicId: random.pick(known.cards) }];
    return put(`/cards/${random.pick(known.cards)}`, {
      isComplete: random.flip(),
      removeRelations: [...relation("blocks"), ...relation("child")],
      addRelations: relation(random.flip() ? "parent" : "blocks"),
    });
  }),
  (known, random) => post(`/cards/${random.pick(known.cards)}/comments`, { comment: "text" }),
  (known, random) => {
    const { card, id } = random.pick(known.comments) ?? {};
    return remove(`/cards/${card}/comments/${id}`);
  },
  (known, random) =>
    post(`/cards/${random.pick(known.cards)}/checklists`, { name: "c", items: ["a", "b"] }),
  (known, random) => {
    const { card, id } = random.pick(known.comments) ?? {};
    return put(`/cards/${card}/comments/${id}`, { comment: random.name() });
  },
  (known, random) =>
    put(`/checklists/${random.pick(known.checklists)}`, {
      ...(random.flip() ? { name: random.name() } : {}),
      ...(random.flip() ? { index: random.below(3) } : {}),
    }),
  (known, random) =>
    post(`/checklists/${random.pick(known.checklists)}/items`, {
      title: "i",
      ...(random.flip() ? { index: random.below(3) } : {}),
    }),
  ...Array.from(
    { length: 3 },
    (): Operation => (known, random) =>
      put(`/checklists/items/${random.pick(known.items)}`, {
        ...(random.flip() ? { completed: random.flip() } : {}),
        ...(random.flip() ? { title: random.name() } : {}),
        ...(random.flip() ? { index: random.below(3) } : {}),
        ...(random.flip() ? { memberPublicId: random.pick(known.members) } : {}),
      }),
  ),
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
        ...(random.flip() ? { wipLimit: random.flip() ? 1 + random.below(4) : null } : {}),
        ...(random.flip() ? { wipMode: random.pick(["off", "warn", "warn", "block"]) } : {}),
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
    post(`/lists/${random.pick(known.lists)}/move`, {
      boardPublicId: random.pick(known.boards),
      ...(random.flip() ? { index: random.below(3) } : {}),
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
    post(`/workspaces/${known.workspace}/views`, {
      name: random.name(),
      ...(random.flip()
        ? { scope: "workspace" }
        : { scope: "board", boardPublicId: random.pick(known.boards) }),
      filter: { field: "labels", op: "is", value: random.pick(known.labels) },
    }),
  (known, random) => put(`/views/${random.pick(known.views)}`, { name: random.name() }),
  (known, random) => remove(`/views/${random.pick(known.views)}`),
  (known, random) => post(`/views/${random.pick(known.views)}/restore`),
  (known, random) =>
    put(`/workspaces/${known.workspace}`, { cardPrefix: random.pick(["AB", "CD", "EF"]) }),
  (known, random) =>
    put(`/workspaces/${known.workspace}`, {
      name: random.name(),
      timeZone: random.pick(["Europe/Berlin", "America/Lima", null]),
    }),
  (_, random) =>
    put("/users/me", {
      ...(random.flip() ? { name: random.name() } : {}),
      image: random.flip() ? `https://example.com/${random.name()}.png` : null,
    }),
  (known, random) =>
    put(`/workspaces/${known.workspace}/roles/${random.pick(known.roles)}`, {
      description: random.name(),
    }),
  (known, random) =>
    post(`/cards/${random.pick(known.cards)}/labels`, {
      labelPublicId: random.pick(known.labels),
    }),
  (known, random) =>
    remove(`/cards/${random.pick(known.cards)}/labels/${random.pick(known.labels)}`),
  (known, random) =>
    put(`/cards/${random.pick(known.cards)}`, {
      memberPublicIds: known.members.filter(random.flip),
      listPublicId: random.pick(known.lists),
    }),
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
