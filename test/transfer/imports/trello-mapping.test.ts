import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";
import { exported } from "../exports/fetching.ts";
import { boardOf, bring, importFile } from "./importing.ts";
import { colours } from "./trello-export.ts";
import {
  action,
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

const bringOne = (home: Workspace, parts: object) =>
  bring(app(), home, board({ lists: [list(1)], ...parts }));

const about = (issues: any[], kind: string) => issues.filter((issue) => issue.kind === kind);

test("all thirty label colours are imported as different colours; unnamed labels get the name of their colour", async () => {
  const home = await makeWorkspace(app());
  const labels = [
    ...colours.map((color, nth) => label(nth + 1, { color, name: "" })),
    label(31, { color: null, name: "" }),
    label(32, { color: null, name: "Plain" }),
  ];
  const { shown } = await bringOne(home, { labels });
  const byName = new Map<string, string | null>(
    shown.labels.map((each: any) => [each.name, each.colourCode]),
  );
  expect(byName.size).toBe(32);
  expect(new Set([...byName.values()].filter((each) => each !== null)).size).toBe(30);
  expect(byName.get("Green")).toMatch(/^#[0-9a-f]{6}$/);
  expect([...byName.keys()]).toEqual(
    expect.arrayContaining(["Light green", "Dark green", "Black", "No colour", "Plain"]),
  );
  expect([byName.get("No colour"), byName.get("Plain")]).toEqual([null, null]);
});

test("people at Trello are no members until they are mapped: texts and the report name them", async () => {
  const home = await makeWorkspace(app());
  const ada = await join(app(), home, "member");
  await ada.rest.put("/users/me", { name: "Ada" });
  const members = [
    member(1, { email: ada.email, username: "ada", fullName: "Ada" }),
    member(2, { username: "twin", fullName: "Twin" }),
  ];
  const idMembers = members.map(({ id }) => id);
  const { cards, issues } = await bringOne(home, {
    members,
    cards: [card(1, { idMembers, desc: "Text" }), card(2, { idMembers: ["gone"], desc: "" })],
    actions: [comment(1, one, { memberCreator: members[0] })],
    checklists: [checklist(1, one, [item(1, { idMember: idMembers[0] })])],
  });
  expect(cards.map(({ members: shown }) => shown)).toEqual([[], []]);
  expect(cards.map(({ description }) => description)).toEqual([
    "Text\n\nMembers at Trello: Ada @ada, Twin @twin",
    "Members at Trello: an unknown member",
  ]);
  expect(about(issues, "cardMember").map(({ name }) => name)).toEqual([
    "Ada @ada",
    "Twin @twin",
    "an unknown member",
  ]);
  expect(cards[0].comments).toMatchObject([
    {
      author: null,
      authorName: "Ada",
      importedAuthor: { name: "Ada", source: "trello", member: null },
    },
  ]);
  expect(cards[0].checklists[0].items).toMatchObject([
    { title: "Item 1 (Ada @ada)", memberPublicId: null },
  ]);
  expect(about(issues, "checklistItem")).toMatchObject([{ isPartlyThere: true }]);
});

test("stickers, votes, covers, power-ups and short links are reported one by one", async () => {
  const home = await makeWorkspace(app());
  const { done, issues } = await bringOne(home, {
    pluginData: [{ id: idOf(kinds.plugin, 1), idPlugin: "p", scope: "board", value: "{}" }],
    actions: [action(1), action(2), action(3, "createCard"), comment(4, one)],
    cards: [
      card(1, {
        stickers: [{ id: "s", image: "thumbsup" }],
        idMembersVoted: [idOf(kinds.member, 1), idOf(kinds.member, 2)],
        cover: { color: "pink", idAttachment: null, size: "full" },
        pluginData: [{ id: idOf(kinds.plugin, 2), value: "{}" }],
        locationName: "The garden",
      }),
    ],
  });
  expect(issues.map(({ kind, reason, count }: any) => [kind, count, reason])).toEqual(
    expect.arrayContaining([
      ["sticker", 1, expect.any(String)],
      ["vote", 2, expect.any(String)],
      ["cover", 1, expect.any(String)],
      ["powerUp", 1, expect.any(String)],
      ["location", 1, expect.stringContaining("The garden")],
    ]),
  );
  expect(issues.slice(-2).map(({ kind, count }: any) => [kind, count])).toEqual([
    ["action", 3],
    ["shortLink", 1],
  ]);
  const { body: shownCard } = await home.admin.rest.get(
    `/cards/${about(issues, "cover")[0].cardPublicId}`,
  );
  expect(shownCard.title).toBe("Card 1");
  expect(done.counts).toMatchObject({
    vote: { found: 2 },
    powerUp: { found: 2 },
    action: { found: 3 },
  });
});

test("comments dropped by an import without a word: missing comments are reported card by card", async () => {
  const home = await makeWorkspace(app());
  const actions = [
    ...Array.from({ length: 10 }, (_, nth) => comment(nth + 1, one)),
    ...Array.from({ length: 990 }, (_, nth) => action(nth + 11)),
  ];
  const badges = { ...card(1)["badges"], comments: 17 };
  const { done, issues, cards } = await bringOne(home, { actions, cards: [card(1, { badges })] });
  expect(cards[0].comments).toHaveLength(10);
  expect(done.counts.comment).toMatchObject({ found: 17, created: 10, leftOut: 7 });
  expect(about(issues, "comment")).toMatchObject([{ sourceId: one, count: 7 }]);
  expect(about(issues, "export")).toMatchObject([
    { isPartlyThere: true, reason: expect.stringContaining("1000 actions") },
  ]);
  expect(about(issues, "action")).toMatchObject([{ count: 990 }]);
});

test("dates of completion and archiving and list limits are imported; the rest is reported", async () => {
  const home = await makeWorkspace(app());
  const moment = "2025-02-03T04:05:06.000Z";
  const { shown, issues, cards } = await bringOne(home, {
    lists: [list(1, { softLimit: 5, color: "green" }), list(2, { softLimit: 5_000 })],
    cards: [
      card(1, { desc: "", dueComplete: true, dateCompleted: moment, isTemplate: true }),
      card(2, { closed: true, dateClosed: moment, dueReminder: 60, mirrorSourceId: one }),
    ],
  });
  expect(shown.lists.map(({ wipLimit }: any) => wipLimit)).toEqual([5, null]);
  expect(cards.map(({ description }) => description)).toEqual([null, cards[1].description]);
  const publicId = { in: cards.map((each) => each.publicId) };
  const rows = await app().db.reader.card.findMany({ where: { publicId }, orderBy: { id: "asc" } });
  const dates = [rows[0]?.completedAt, rows[1]?.archivedAt].map((date) => date?.toISOString());
  expect(dates).toEqual([moment, moment]);
  const reported = issues.map(({ kind, reason }: any) => `${kind}: ${reason}`);
  for (const text of [
    "list: Colours of lists are not supported.",
    "list: Its card limit is not between 1 and 1,000.",
    "template: It was a template card. Here it is an ordinary card.",
    "mirror: It mirrored another card. Here it is an independent card.",
    "reminder: Reminders are not supported.",
  ])
    expect(reported).toContain(text);
});

test("a template board is imported as a template", async () => {
  const home = await makeWorkspace(app());
  const { shown } = await bringOne(home, { prefs: { isTemplate: true } });
  expect(shown.type).toBe("template");
  const other = await bringOne(home, { id: idOf(kinds.board, 7), prefs: null });
  expect(other.shown.type).toBe("regular");
});

test("missing comments are reported for an export of any length, and later ones are in order", async () => {
  const home = await makeWorkspace(app());
  const badges = { ...card(1)["badges"], comments: 3 };
  const parts = { lists: [list(1)], cards: [card(1, { badges })] };
  const first = await importFile(app(), home, board({ ...parts, actions: [comment(3, one)] }));
  expect(about(first.issues, "comment")).toMatchObject([{ sourceId: one, count: 2 }]);
  const actions = [comment(1, one), comment(2, one), comment(3, one)];
  await importFile(app(), home, board({ ...parts, actions }));
  const { lists } = await boardOf(home, first.boards[0].publicId);
  const path = `/cards/${lists[0].cards[0].publicId}/comments?limit=2`;
  const { body: page } = await home.admin.rest.get(path);
  const { body: next } = await home.admin.rest.get(`${path}&cursor=${page.nextCursor}`);
  const inOrder = ["Comment 1", "Comment 2", "Comment 3"];
  expect([...page.items, ...next.items].map((each: any) => each.comment)).toEqual(inOrder);
  const document = await exported(app(), home.admin.token, home.publicId);
  expect(document.cards[0].comments.map((each: any) => each.comment)).toEqual(inOrder);
});

test("links are imported as links; uploads are linked, and the report says that the file is missing", async () => {
  const home = await makeWorkspace(app());
  const { cards, issues } = await bringOne(home, {
    cards: [
      card(1, {
        attachments: [
          attachment(1),
          attachment(2, {
            isUpload: true,
            name: "../plan.pdf",
            url: "https://trello.com/1/cards/x",
          }),
          attachment(3, { url: "javascript:alert(1)" }),
          attachment(4, { url: null, name: null }),
        ],
      }),
    ],
  });
  expect(cards[0].attachments.map((each: any) => [each.kind, each.filename, each.url])).toEqual([
    ["link", "Attachment 1", "https://example.com/1"],
    ["link", "plan.pdf", "https://trello.com/1/cards/x"],
  ]);
  expect(about(issues, "attachment").map((each) => [each.sourceId, each.isPartlyThere])).toEqual([
    [idOf(kinds.attachment, 3), false],
    [idOf(kinds.attachment, 4), false],
    [idOf(kinds.attachment, 2), true],
  ]);
});

test("closed boards, lists and cards are archived", async () => {
  const home = await makeWorkspace(app());
  const closed = { closed: true };
  const done = await importFile(
    app(),
    home,
    board({ ...closed, lists: [list(1, closed)], cards: [card(1, closed)] }),
  );
  expect(await boardOf(home, done.boards[0].publicId)).toMatchObject({
    isArchived: true,
    lists: [{ isArchived: true, cards: [{ isArchived: true, index: null }] }],
  });
});

test("cards that are attached to cards of the board relate to them, once, and stay links", async () => {
  const home = await makeWorkspace(app());
  const urlOf = (nth: number) => String(card(nth)["url"]);
  const { cards, issues, done } = await bringOne(home, {
    cards: [
      card(1, {
        attachments: [
          attachment(1, { url: urlOf(2) }),
          attachment(2, { url: `${urlOf(2)}?x=1` }),
          attachment(3, { url: urlOf(1) }),
          attachment(4, { url: "https://trello.com/c/zzzzzzzz/9-elsewhere" }),
        ],
      }),
      card(2, { attachments: [attachment(5, { url: urlOf(1) })] }),
      card(3),
    ],
  });
  const shown = cards.map(({ relations }: any) =>
    relations.map(({ kind, card: other }: any) => `${kind} ${other.title}`),
  );
  expect(shown).toEqual([["relates Card 2"], ["relates Card 1"], []]);
  expect(cards[0].attachments).toHaveLength(4);
  expect(about(issues, "card").map(({ reason }: any) => reason)).toEqual([
    "A card has no relation to itself.",
  ]);
  for (const { found, created, alreadyThere, leftOut } of Object.values<any>(done.counts))
    expect(found).toBe(created + alreadyThere + leftOut);
  const feed = await home.admin.rest.get(`/workspaces/${home.publicId}/events?limit=100`);
  const related = feed.body.items.filter(({ type }: any) => type === "relation.created");
  expect(related.map(({ actor }: any) => actor.type)).toEqual(["import", "import"]);
});
