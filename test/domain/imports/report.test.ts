import { expect, test } from "vitest";
import { runDue } from "../../support/jobs.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace, type Workspace } from "../../support/make.ts";
import { minimalDocument } from "../../transfer/exports/minimal.ts";
import { boardOf, importFile, read, send } from "../../transfer/imports/importing.ts";
import { send as sendWorkspace } from "../../transfer/imports/sending.ts";
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
} from "../../transfer/imports/trello-objects.ts";

const app = useApp({ isolated: true });
const [one, two] = [idOf(kinds.card, 1), idOf(kinds.card, 2)];
const long = "A label with a name that is longer than Trello's forty characters";

/** A board with items of each kind that is not imported completely. */
const lossy = (more: object = {}) =>
  board({
    lists: [list(1, { color: "green" })],
    labels: [label(1, { name: long })],
    members: [member(1, { fullName: "Ada" })],
    cards: [
      card(1, {
        idMembers: [idOf(kinds.member, 1)],
        attachments: [attachment(1, { url: "javascript:alert(1)" }), 7],
        stickers: [{ id: "s" }],
        address: "1 Main Street",
      }),
      card(2, { isTemplate: true, address: "2 Main Street" }),
      card(3, { idList: idOf(kinds.list, 9) }),
    ],
    checklists: [checklist(1, two, [item(1, { dueReminder: 60, due: "soon" }), { id: [] }])],
    actions: [action(1), action(2), comment(3, one, { data: { text: "", card: { id: one } } })],
    ...more,
  });

const reportOf = (
  home: Workspace,
  id: string,
  who: Pick<Workspace["admin"], "rest"> = home.admin,
) => who.rest.get(`/imports/${id}/report`);

test("the report is grouped by kind and reason: losses first, then parts, then what is no loss", async () => {
  const home = await makeWorkspace(app());
  const done = await importFile(app(), home, lossy());
  const { status, body } = await reportOf(home, done.publicId);
  expect([status, body.isCapped]).toEqual([200, false]);
  const severities = body.groups.map(({ severity }: any) => severity);
  const order = ["loss", "partial", "info"];
  expect(severities).toEqual(
    severities.toSorted((a: string, b: string) => order.indexOf(a) - order.indexOf(b)),
  );
  const groupOf = (kind: string) => body.groups.filter((group: any) => group.kind === kind);
  expect(groupOf("location")).toMatchObject([
    {
      reason: "Locations are not supported.",
      count: 2,
      examples: [
        { detail: "1 Main Street", card: { title: "Card 1" } },
        { detail: "2 Main Street", card: { title: "Card 2" } },
      ],
    },
  ]);
  expect(groupOf("label")).toMatchObject([{ severity: "partial", examples: [{ name: long }] }]);
  expect(groupOf("action")).toMatchObject([{ severity: "info", count: 2, examples: [] }]);
  expect(groupOf("shortLink")).toMatchObject([{ severity: "info", count: 3, examples: [] }]);
  const sum = (of: any[]) => of.reduce((total, { count }) => total + count, 0);
  expect(sum(body.groups)).toBe(sum(done.issues));
  expect(done.issues.map(({ severity }: any) => severity)).toEqual(
    done.issues
      .map(({ severity }: any) => severity)
      .toSorted((a: string, b: string) => order.indexOf(a) - order.indexOf(b)),
  );
});

test("each issue on an imported card has the card's name, id and address", async () => {
  const home = await makeWorkspace(app());
  const done = await importFile(app(), home, lossy());
  const { lists } = await boardOf(home, done.boards[0].publicId);
  const ids = new Map<string, string>(
    lists[0].cards.map((each: any) => [each.title, each.publicId]),
  );
  const onCards = done.issues.filter(({ card: on }: any) => on !== null);
  expect(new Set(onCards.map(({ kind }: any) => kind))).toEqual(
    new Set([
      "attachment",
      "cardMember",
      "checklistItem",
      "comment",
      "location",
      "reminder",
      "sticker",
      "template",
    ]),
  );
  for (const { card: on, cardPublicId } of onCards) {
    expect(on).toEqual({
      publicId: ids.get(on.title),
      title: on.title,
      cardNumber: expect.stringMatching(/-\d+$/),
      url: expect.stringMatching(new RegExp(`/api/v1/cards/${cardPublicId}$`)),
    });
    expect(cardPublicId).toBe(on.publicId);
    expect((await home.admin.rest.get(new URL(on.url).pathname.slice(7))).status).toBe(200);
  }
  const elsewhere = done.issues.filter(({ card: on }: any) => on === null);
  expect(new Set(elsewhere.map(({ kind }: any) => kind))).toEqual(
    new Set(["action", "card", "label", "list", "shortLink"]),
  );
});

test("the report of a workspace names the cards too", async () => {
  const home = await makeWorkspace(app());
  const document = minimalDocument();
  const actor = { type: "user", publicId: null, name: "Ada" };
  const cards = document.cards.map((each) => {
    const event = { type: "card.flew", actor, data: {}, changes: null, createdAt: each.createdAt };
    return { ...each, activity: [event] };
  });
  const counts = { ...document.counts, activity: cards.length };
  const sent = await sendWorkspace(app(), home.admin, { ...document, cards, counts });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  await runDue(app().deps);
  const done = await read(home, sent.body.publicId);
  const issue = done.issues.find(({ kind }: any) => kind === "activity");
  expect(issue).toMatchObject({
    reason: "This service does not know the type of the event: card.flew",
    detail: "card.flew",
    card: { title: "Card 1", publicId: issue.cardPublicId },
  });
});

test("a reader without comment:view sees no names, details or people", async () => {
  const home = await makeWorkspace(app());
  const reader = await join(app(), home, "admin");
  const done = await importFile(app(), home, lossy());
  const path = `/workspaces/${home.publicId}/members/${reader.memberPublicId}/permissions/revoke`;
  expect((await home.admin.rest.post(path, { permission: "comment:view" })).status).toBe(200);
  const { body } = await reportOf(home, done.publicId, reader);
  const { body: page } = await reader.rest.get(`/imports/${done.publicId}?limit=100`);
  const shown = JSON.stringify([body, page]);
  for (const name of ["Main Street", "Ada", long]) expect(shown).not.toContain(name);
  expect((await reader.rest.get(`/imports/${done.publicId}/people`)).status).toBe(403);
  const people = [{ sourceId: idOf(kinds.member, 1), memberPublicId: null }];
  expect((await reader.rest.put(`/imports/${done.publicId}/people`, { people })).status).toBe(403);
});

test("a report shows no card of a restricted board to a starter who cannot see it", async () => {
  const home = await makeWorkspace(app());
  const starter = await join(app(), home, "member");
  const sent = await send(app(), home, lossy(), starter.token);
  await runDue(app().deps);
  const { body: done } = await starter.rest.get(`/imports/${sent.body.publicId}`);
  const boardPath = `/boards/${done.boards[0].publicId}`;
  const put = { visibility: "restricted" };
  expect((await home.admin.rest.put(boardPath, put)).status).toBe(200);
  const { body: members } = await home.admin.rest.get(`${boardPath}/members`);
  for (const { publicId } of members.items ?? members)
    await home.admin.rest.delete(`${boardPath}/members/${publicId}`);
  const { body } = await starter.rest.get(`/imports/${sent.body.publicId}/report`);
  const { body: page } = await starter.rest.get(`/imports/${sent.body.publicId}?limit=100`);
  const cards = [
    ...body.groups.flatMap(({ examples }: any) => examples.map((each: any) => each.card)),
    ...page.report.items.map((each: any) => each.card),
  ];
  expect(cards.length).toBeGreaterThan(5);
  expect(cards.filter((each) => each !== null)).toEqual([]);
});
