import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { fill } from "../../transfer/exports/many.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp({ isolated: true });

async function scene(count = 4) {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { lists: ["One", "Two"], labels: 2 });
  const [one = "", two = ""] = board.lists;
  const cards: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    cards.push(await makeCard(workspace.admin, one, `Card ${nth}`));
  }
  const { rest } = workspace.admin;
  const bulk = (body: object, key?: string) =>
    rest.post(
      `/boards/${board.publicId}/cards/bulk`,
      body,
      key === undefined ? {} : { headers: { "Idempotency-Key": key } },
    );
  const read = async () => (await rest.get(`/boards/${board.publicId}`)).body;
  const { cursor } = await follow(workspace.admin, workspace.publicId);
  const events = async () => (await follow(workspace.admin, workspace.publicId, { cursor })).items;
  return { workspace, board, cards, one, two, rest, bulk, read, events };
}

test("moves, completes, labels and assigns cards, with the events of single writes", async () => {
  const { workspace, board, cards, two, rest, bulk, read, events } = await scene();
  const member = await join(app(), workspace, "member");
  const [a = "", b = "", , d = ""] = cards;
  const { status, body } = await bulk({
    cardPublicIds: [d, a, b],
    set: {
      listPublicId: two,
      isComplete: true,
      dueDate: "2031-01-01T00:00:00.000Z",
      addLabelPublicIds: board.labels,
      addMemberPublicIds: [member.memberPublicId],
    },
  });
  expect([status, body]).toEqual([200, { selected: 3, changed: 3 }]);
  const [first, second] = (await read()).lists;
  expect(first.cards.map((card: any) => card.publicId)).toEqual([cards[2]]);
  expect(second.cards.map((card: any) => card.publicId)).toEqual([a, b, d]);
  const all = (await events()).filter(({ type }) => type.startsWith("card."));
  const types = all.filter(({ data }) => data.card.publicId === b).map(({ type }) => type);
  expect(types.toSorted()).toEqual(
    [
      "card.completed",
      "card.label_added",
      "card.label_added",
      "card.member_added",
      "card.moved",
      "card.updated",
    ].toSorted(),
  );
  const moves = all.filter(({ type }) => type === "card.moved");
  expect(moves.map(({ data }) => [data.card.publicId, data.from.index, data.to.index])).toEqual([
    [a, 0, 0],
    [b, 0, 1],
    [d, 1, 2],
  ]);
  const versions = all.filter(({ data }) => data.card.publicId === a);
  expect(new Set(versions.map(({ data }) => data.card.version)).size).toBe(versions.length);
  const { body: card } = await rest.get(`/cards/${a}`);
  expect(card).toMatchObject({ isComplete: true, dueDate: "2031-01-01T00:00:00.000Z" });
  expect(card.labels).toHaveLength(2);
  expect(card.version).toBe(versions.at(-1)?.data.card.version);
});

test("a filter selects as board.cards does, and cards that have the values do not change", async () => {
  const { board, cards, one, bulk, events } = await scene();
  const filter = { lists: [one] };
  const set = { removeLabelPublicIds: [board.labels[0]], isArchived: true };
  expect((await bulk({ filter, set })).body).toEqual({ selected: 4, changed: 4 });
  expect((await bulk({ filter, set })).body).toEqual({ selected: 0, changed: 0 });
  const archived = { ...filter, archived: true };
  expect((await bulk({ filter: archived, set })).body).toEqual({ selected: 4, changed: 0 });
  const types = (await events()).map(({ type }) => type);
  expect(types).toEqual(cards.map(() => "card.archived"));
  const back = await bulk({ filter: archived, set: { isArchived: false } });
  expect(back.body).toEqual({ selected: 4, changed: 4 });
  const restored = (await events()).filter(({ type }) => type === "card.unarchived");
  expect(restored.map(({ data }) => data.to.index)).toEqual([0, 1, 2, 3]);
});

test("one card that cannot be changed undoes all changes, and the error names it", async () => {
  const { workspace, board, cards, bulk, read, events } = await scene();
  const other = await makeBoard(workspace, { lists: ["Other"] });
  const foreign = await makeCard(workspace.admin, other.lists[0] ?? "", "Foreign");
  const before = await read();
  const count = (await events()).length;
  const refused = await bulk({ cardPublicIds: [...cards, foreign], set: { isComplete: true } });
  expect(refused.status).toBe(404);
  expect(refused.body.issues).toEqual([
    {
      message: `Card ${foreign} not found.`,
      path: ["cardPublicIds", cards.length],
      code: "card_not_found",
    },
  ]);
  const away = { cardPublicIds: cards, set: { isComplete: true, listPublicId: other.lists[0] } };
  expect((await bulk(away)).status).toBe(404);
  const guest = await join(app(), workspace, "guest");
  await workspace.admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  const blind = { isComplete: true, addMemberPublicIds: [guest.memberPublicId] };
  expect((await bulk({ cardPublicIds: cards, set: blind })).status).toBe(409);
  expect((await read()).lists).toEqual(before.lists);
  const later = (await events()).slice(count);
  expect(later.filter(({ type }) => type.startsWith("card."))).toEqual([]);
});

test("each id that is not found is an issue with its index", async () => {
  const { board, cards, bulk } = await scene(2);
  const [label = ""] = board.labels;
  const [a = "", b = ""] = cards;
  const issuesOf = async (body: object) => {
    const { status, body: failed } = await bulk(body);
    const issues: { path: unknown; code: string }[] = failed.issues;
    return [status, ...issues.map(({ path, code }) => [code, path])];
  };
  const named = { cardPublicIds: [a, "unknown00001", a, b, "unknown00002"], set: {} };
  expect(await issuesOf({ ...named, set: { isComplete: true } })).toEqual([
    404,
    ["card_not_found", ["cardPublicIds", 1]],
    ["card_not_found", ["cardPublicIds", 4]],
  ]);
  const ids = [label, "unknown00001"];
  const fields = ["addLabelPublicIds", "removeLabelPublicIds"];
  const people = ["addMemberPublicIds", "removeMemberPublicIds"];
  for (const field of [...fields, ...people]) {
    const [kind, index] = fields.includes(field) ? ["label", 1] : ["member", 0];
    const set = { [field]: kind === "label" ? ids : ["unknown00001"] };
    expect(await issuesOf({ cardPublicIds: cards, set })).toEqual([
      404,
      [`${kind}_not_found`, ["set", field, index]],
    ]);
  }
});

test("a filter that selects more than 500 cards is refused at the filter", async () => {
  const { one, bulk } = await scene(0);
  await fill(app(), one, { cards: 501 });
  const { status, body } = await bulk({ filter: { lists: [one] }, set: { isComplete: true } });
  expect([status, body.issues[0].code, body.issues[0].path]).toEqual([
    409,
    "limit_exceeded",
    ["filter"],
  ]);
});

test("one label or member to add and to remove is 400, and nothing changes", async () => {
  const { board, workspace, cards, bulk, events } = await scene();
  const member = await join(app(), workspace, "member");
  const [label] = board.labels;
  for (const set of [
    { addLabelPublicIds: [label], removeLabelPublicIds: [label] },
    { addMemberPublicIds: [member.memberPublicId], removeMemberPublicIds: [member.memberPublicId] },
  ]) {
    const reply = await bulk({ cardPublicIds: cards, set });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([{ path: ["set"], code: "custom" }]);
  }
  expect((await events()).filter(({ type }) => type.startsWith("card."))).toEqual([]);
});

test("a repeated key answers the same, and both or neither selection is 400", async () => {
  const { cards, bulk } = await scene();
  const body = { cardPublicIds: cards, set: { isComplete: true } };
  const first = await bulk(body, "once");
  expect((await bulk(body, "once")).body).toEqual(first.body);
  expect((await bulk({ set: { isComplete: true } })).status).toBe(400);
  expect((await bulk({ ...body, filter: {} })).status).toBe(400);
});
