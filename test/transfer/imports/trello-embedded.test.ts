import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { runDue } from "../../support/jobs.ts";
import { boardOf, bring, read, send } from "./importing.ts";
import {
  attachment,
  board,
  card,
  checklist,
  comment,
  idOf,
  item,
  kinds,
  label,
  list,
  member,
} from "./trello-objects.ts";

const app = useApp({ isolated: true });
const one = idOf(kinds.card, 1);
const time = "2021-03-04T05:06:07.000Z";

const without = (source: Record<string, any>, ...fields: string[]) =>
  Object.fromEntries(Object.entries(source).filter(([field]) => !fields.includes(field)));
const looks = (labels: any[]) => labels.map(({ name, colourCode }) => [name, colourCode !== null]);

test("labels that are only on cards are imported, with ids, without, and as colours", async () => {
  const home = await makeWorkspace(app());
  const source = board({
    lists: [list(1)],
    labelNames: { blue: "Waiting", lime: "" },
    cards: [
      card(1, {
        idLabels: [idOf(kinds.label, 1)],
        labels: [label(1, { name: "Bug", color: "red" })],
      }),
      card(2, { labels: [{ name: "Bug", color: "red" }, { name: "Idea", color: "sky" }, "blue"] }),
      card(3, { labels: [{ name: "Idea", color: "sky" }, { color: "lime" }] }),
      card(4, { idLabels: [idOf(kinds.label, 9)] }),
    ],
  });
  const { shown, cards, issues } = await bring(app(), home, without(source, "labels"));
  expect(looks(shown.labels).toSorted()).toEqual([
    ["Bug", true],
    ["Idea", true],
    ["Lime", true],
    ["Waiting", true],
  ]);
  expect(cards.map(({ labels }) => labels.map((each: any) => each.name).toSorted())).toEqual([
    ["Bug"],
    ["Bug", "Idea", "Waiting"],
    ["Idea", "Lime"],
    [],
  ]);
  expect(issues.filter(({ kind }: any) => /label/i.test(kind))).toMatchObject([
    { kind: "cardLabel", sourceId: idOf(kinds.label, 9) },
  ]);
});

test("labels without ids are those of their own board, also in a second import", async () => {
  const home = await makeWorkspace(app());
  const parts = { lists: [list(1)], labels: [{ name: "Bug", color: "red" }] };
  const source = board({ ...parts, cards: [card(1, { labels: parts.labels })] });
  const { shown, cards } = await bring(app(), home, source);
  expect([looks(shown.labels), cards[0].labels.length]).toEqual([[["Bug", true]], 1]);
  const again = await bring(app(), home, source, shown.publicId);
  expect(again.shown.labels).toEqual(shown.labels);
  const move = (text: string) => text.replaceAll(idOf(kinds.board, 1), idOf(kinds.board, 2));
  const other = JSON.parse(
    move(JSON.stringify(source))
      .replaceAll(one, idOf(kinds.card, 7))
      .replaceAll(idOf(kinds.list, 1), idOf(kinds.list, 7)),
  );
  const second = await bring(app(), home, other);
  expect([looks(second.shown.labels), second.cards[0].labels.length]).toEqual([[["Bug", true]], 1]);
});

test("checklists, comments, people and states that are only on cards are imported once", async () => {
  const home = await makeWorkspace(app());
  const lists = [checklist(1, one, [item(1, { state: undefined }), item(2, { state: undefined })])];
  const said = [
    comment(1, one, { idMemberCreator: idOf(kinds.member, 5), memberCreator: member(5) }),
  ];
  const source = board({
    lists: [list(1)],
    cards: [
      card(1, {
        idMembers: [idOf(kinds.member, 5)],
        idChecklists: [idOf(kinds.checklist, 1), idOf(kinds.checklist, 8)],
        checklists: lists,
        checkItemStates: [{ idCheckItem: idOf(kinds.item, 2), state: "complete" }],
        actions: said,
      }),
    ],
  });
  const { cards, issues } = await bring(
    app(),
    home,
    without(source, "checklists", "members", "actions"),
  );
  const [shown] = cards;
  expect(
    shown.checklists.map(({ items }: any) => items.map((each: any) => each.completed)),
  ).toEqual([[false, true]]);
  expect(shown.comments).toMatchObject([{ authorName: "Member 5 of Trello" }]);
  expect(shown.description).toContain("Member 5 of Trello");
  expect(issues.filter(({ kind }: any) => kind === "checklist")).toMatchObject([
    { sourceId: idOf(kinds.checklist, 8) },
  ]);
  const twice = await makeWorkspace(app());
  const whole = { ...source, checklists: lists, actions: said };
  const both = await bring(app(), twice, whole);
  expect([both.cards[0].checklists.length, both.cards[0].comments.length]).toEqual([1, 1]);
  expect(both.issues.filter(({ reason }: any) => reason.includes("same id"))).toEqual([]);
});

test("what a card has is silent once at the top; each further one with its id has a line", async () => {
  const home = await makeWorkspace(app());
  const lists = [checklist(1, one, [item(1)])];
  const said = [comment(1, one)];
  const twice = (parts: object[]) => [...parts, ...parts];
  const first = card(1, { checklists: lists, actions: said });
  const top = { checklists: twice(lists), actions: twice(said) };
  const { cards, issues } = await bring(
    app(),
    home,
    board({ lists: [list(1)], cards: [first], ...top }),
  );
  expect([cards[0].checklists.length, cards[0].comments.length]).toEqual([1, 1]);
  const same = (all: any[]) =>
    all.filter(({ reason }) => reason.includes("same id")).map(({ kind }) => kind);
  expect(same(issues).toSorted()).toEqual(["checklist", "comment"]);
  const other = await makeWorkspace(app());
  const inside = { checklists: lists, actions: said };
  const both = [card(1, inside), card(2, inside), card(3, { id: idOf(kinds.checklist, 1) })];
  const found = await bring(app(), other, board({ lists: [list(1)], cards: both }));
  expect(found.cards).toHaveLength(3);
  expect(same(found.issues).toSorted()).toEqual(["checklist", "comment"]);
});

test("cards that are only in their lists, and lists that only actions name, are imported", async () => {
  const home = await makeWorkspace(app());
  const nested = board({ lists: [list(1, { cards: [without(card(1), "idList")] })] });
  const { cards } = await bring(app(), home, without(nested, "cards"));
  expect(cards).toHaveLength(1);
  const other = await makeWorkspace(app());
  const [id, name] = [idOf(kinds.list, 2), "Only named"];
  const source = board({
    lists: [list(1)],
    cards: [card(1), card(2, { idList: id }), card(3, { idList: idOf(kinds.list, 3) })],
    actions: [
      { id: "a1", type: "updateCard", date: time, data: { listAfter: { id, name } } },
      { id: "a2", type: "updateList", date: time, data: { list: { id, name: "Before" } } },
    ],
  });
  const { shown, issues } = await bring(app(), other, source);
  expect(shown.lists.map((each: any) => [each.name, each.cards.length])).toEqual([
    [list(1)["name"], 1],
    [name, 1],
  ]);
  expect(issues.filter(({ kind }: any) => kind === "list")).toMatchObject([
    { sourceId: id, severity: "partial", name },
  ]);
  expect(issues.filter(({ kind }: any) => kind === "card")).toMatchObject([
    { sourceId: idOf(kinds.card, 3), reason: "Its list is not in the source." },
  ]);
});

test("times of archiving and completing are those of the actions; the report names each that is missing", async () => {
  const home = await makeWorkspace(app());
  const archived = (kind: string, id: string) => ({
    id: idOf(kinds.action, kind.length),
    type: kind === "list" ? "updateList" : "updateCard",
    date: time,
    data: { [kind]: { id, closed: true }, old: { closed: false } },
  });
  const done = {
    id: idOf(kinds.action, 50),
    type: "updateCheckItemStateOnCard",
    date: time,
    data: { card: { id: one }, checkItem: { id: idOf(kinds.item, 1), state: "complete" } },
  };
  const complete = { state: "complete" };
  const { issues, done: imported } = await bring(
    app(),
    home,
    board({
      lists: [list(1, { closed: true }), list(2, { closed: true })],
      cards: [card(1, { closed: true }), card(2, { closed: true })],
      checklists: [checklist(1, one, [item(1, complete), item(2, complete)])],
      actions: [archived("list", idOf(kinds.list, 1)), archived("card", one), done],
    }),
  );
  const workspace = { publicId: home.publicId };
  const orderBy = { id: "asc" } as const;
  const { reader } = app().db;
  const times = [
    (await reader.list.findMany({ where: { workspace }, orderBy })).map(
      ({ archivedAt }) => archivedAt?.toISOString() === time,
    ),
    (await reader.card.findMany({ where: { list: { workspace } }, orderBy })).map(
      ({ archivedAt }) => archivedAt?.toISOString() === time,
    ),
    (
      await reader.checklistItem.findMany({
        where: { checklist: { card: { list: { workspace } } } },
        orderBy,
      })
    ).map(({ completedAt }) => completedAt?.toISOString() === time),
  ];
  expect(times).toEqual([
    [true, false],
    [true, false],
    [true, false],
  ]);
  const noTime = issues.filter(({ reason }: any) =>
    reason.startsWith("The source does not say when"),
  );
  expect(noTime.map(({ kind, sourceId }: any) => [kind, sourceId]).toSorted()).toEqual([
    ["card", idOf(kinds.card, 2)],
    ["checklistItem", idOf(kinds.item, 2)],
    ["list", idOf(kinds.list, 2)],
  ]);
  expect(imported.status).toBe("completed");
});

test("a file from a browser's JSON viewer, with a byte order mark and a byte that is not UTF-8, is read", async () => {
  const home = await makeWorkspace(app());
  const text = JSON.stringify(board({ lists: [list(1)], cards: [card(1, { name: "Caf#" })] }));
  const bytes = Buffer.from(`\u{feff}// 20240102\n// https://trello.com/b/x.json\n\n${text}`);
  bytes[bytes.indexOf("#")] = 0xe9;
  const sent = await send(app(), home, new Blob([bytes]).stream());
  expect(sent.status).toBe(200);
  await runDue(app().deps);
  const done = await read(home, sent.body.publicId);
  const { lists } = await boardOf(home, done.boards[0].publicId);
  expect(lists[0].cards[0].title).toBe("Caf\u{fffd}");
  const about = done.issues.filter(({ kind }: any) => kind === "export");
  expect(about.map(({ severity, count }: any) => [severity, count])).toEqual([
    ["partial", 1],
    ["partial", 1],
  ]);
});

test("the name of a link is cut to 255 characters, with a line in the report", async () => {
  const home = await makeWorkspace(app());
  const attachments = [attachment(1, { name: "x".repeat(300) })];
  const source = board({ lists: [list(1)], cards: [card(1, { attachments })] });
  const { cards, issues } = await bring(app(), home, source);
  expect(cards[0].attachments[0].filename).toBe("x".repeat(255));
  expect(issues.filter(({ kind }: any) => kind === "attachment")).toMatchObject([
    { sourceId: idOf(kinds.attachment, 1), severity: "partial" },
  ]);
});

test("archived lists count apart from the others: 190 of them and 40 others are imported", async () => {
  const home = await makeWorkspace(app());
  const lists = Array.from({ length: 230 }, (_, nth) => list(nth + 1, { closed: nth < 190 }));
  const { shown } = await bring(app(), home, board({ lists }));
  const archived = shown.lists.filter(({ isArchived }: any) => isArchived);
  expect([archived.length, shown.lists.length]).toEqual([190, 230]);
});
