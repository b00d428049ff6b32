import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { useStatements } from "../../support/statements.ts";

const app = useApp({ isolated: true });
const note = useStatements();

/** Prisma's client names the schema of each table; no statement of ours does. */
const isOfClient = (text: string) => text.includes('"public"."');

test("no operation that the benchmark measures uses Prisma's client", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const { publicId: board, lists, labels } = await makeBoard(workspace);
  const [one = "", two = ""] = lists;
  const card = await makeCard(workspace.admin, one);
  const path = `/workspaces/${workspace.publicId}`;
  const update = { operation: "card.update", input: { cardPublicId: card, title: "New" } };
  const calls = {
    "workspace.list": () => rest.get("/workspaces"),
    "board.get": () => rest.get(`/boards/${board}`),
    "card.get": () => rest.get(`/cards/${card}`),
    "card.listInList": () => rest.get(`/lists/${one}/cards`),
    "card.create": () => rest.post("/cards", { title: "Another", listPublicId: one }),
    "card.update": () => rest.put(`/cards/${card}`, { title: "Other" }),
    "a move": () => rest.put(`/cards/${card}`, { listPublicId: two, index: 0 }),
    "card.addLabel": () => rest.put(`/cards/${card}/labels/${labels[0]}`),
    "comment.create": () => rest.post(`/cards/${card}/comments`, { comment: "Text" }),
    "workspace.search": () => rest.get(`${path}/search?query=card`),
    "workspace.snapshot": () => rest.get(`${path}/snapshot`),
    "workspace.batch": () => rest.post(`${path}/batch`, { operations: [update] }),
    "a page of events": () => rest.get(`${path}/events`),
  };
  const found: Record<string, string[]> = {};
  for (const [name, call] of Object.entries(calls)) {
    const { result, texts } = await note(call);
    expect(result.status, name).toBe(200);
    found[name] = texts.filter(isOfClient);
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(calls).map((name) => [name, []])));
});

test("a statement of Prisma's client is found", async () => {
  const { texts } = await note(() => app().db.reader.user.count());
  expect(texts.filter(isOfClient)).toHaveLength(1);
});
