import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import { join, makeWorkspace } from "../../support/make.ts";
import { boardOf, importFile } from "./importing.ts";
import { makeExport } from "./trello-export.ts";
import { board, card, comment, idOf, kinds, list } from "./trello-objects.ts";
import { countsIn } from "./compare.ts";

const app = useApp({ isolated: true });

test("each resource of an import has one event, with the import as its actor", async () => {
  const home = await makeWorkspace(app());
  const source = makeExport({ cards: 80 });
  const done = await importFile(app(), home, source);
  const all = await eventsIn(app(), home.publicId);
  const events = all.filter(({ type }) => type !== "workspace.created");
  const count = new Map<string, number>();
  for (const { type } of events) count.set(type, (count.get(type) ?? 0) + 1);
  const {
    board: boards,
    list: lists,
    label,
    card: cards,
    checklist,
    comment: comments,
    attachment,
  } = countsIn(source);
  expect(Object.fromEntries(count)).toMatchObject({
    "board.created": boards,
    "list.created": lists,
    "label.created": label,
    "card.created": cards,
    "checklist.created": checklist,
    "comment.created": comments,
    "attachment.created": attachment,
    "import.started": 1,
    "import.completed": 1,
  });
  const shown = await boardOf(home, done.boards[0].publicId);
  for (const event of events) {
    if (event.type === "import.started") continue;
    expect(event).toMatchObject({
      actorType: "import",
      actorPublicId: done.publicId,
      actorName: "Import from Trello",
      actorUserId: expect.any(BigInt),
      requestId: expect.any(String),
    });
    if (!event.type.startsWith("import.")) expect(event.boardPublicId).toBe(shown.publicId);
  }
});

test("webhooks not fired from the import: each created card is delivered to each matching webhook once", async () => {
  const home = await makeWorkspace(app());
  const { status } = await home.admin.rest.post(`/workspaces/${home.publicId}/webhooks`, {
    name: "Nowhere",
    url: "https://93.184.215.14/",
    events: ["card.created", "import.completed"],
  });
  expect(status).toBe(200);
  await importFile(app(), home, makeExport({ cards: 40 }));
  const deliveries = await app().db.reader.delivery.groupBy({
    by: ["type"],
    where: { workspace: { publicId: home.publicId } },
    _count: { eventId: true },
    orderBy: { type: "asc" },
  });
  expect(deliveries.map(({ type, _count }) => [type, _count.eventId])).toEqual([
    ["card.created", 40],
    ["import.completed", 1],
  ]);
});

test("a text over 20 kB is cut in the event and complete on the card", async () => {
  const home = await makeWorkspace(app());
  const desc = "long ".repeat(10_000);
  const done = await importFile(
    app(),
    home,
    board({ lists: [list(1)], cards: [card(1, { desc })] }),
  );
  const [event] = await eventsIn(app(), home.publicId, "card.created");
  expect(Buffer.byteLength(JSON.stringify(event?.data))).toBeLessThanOrEqual(20_000);
  const shown = await boardOf(home, done.boards[0].publicId);
  const { body } = await home.admin.rest.get(`/cards/${shown.lists[0].cards[0].publicId}`);
  expect(body.description).toBe(desc);
  const { body: history } = await home.admin.rest.get(`/cards/${body.publicId}/activities`);
  expect(history.items).toMatchObject([{ type: "card.created", actor: { type: "import" } }]);
});

test("imported assignments and comments notify no member", async () => {
  const home = await makeWorkspace(app());
  const user = await join(app(), home, "member");
  const source = makeExport({ cards: 10 });
  for (const each of source["cards"]) each.idMembers = [source["members"][0].id];
  const text = `@[You](${user.memberPublicId})`;
  source["actions"].push(
    comment(999, idOf(kinds.card, 1), { data: { text, card: { id: idOf(kinds.card, 1) } } }),
  );
  const { publicId } = await importFile(app(), home, source);
  const people = [{ sourceId: source["members"][0].id, memberPublicId: user.memberPublicId }];
  const mapped = await home.admin.rest.put(`/imports/${publicId}/people`, { people });
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
  expect((await user.rest.get("/users/me/notifications")).body.items).toEqual([]);
  expect((await user.rest.get("/users/me/cards")).body.items.length).toBeGreaterThan(0);
});
