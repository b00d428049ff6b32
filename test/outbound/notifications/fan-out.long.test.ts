import { describe, expect, test } from "vitest";
import { actorOf } from "../../../src/kernel/events/actor.ts";
import { persistEvents } from "../../../src/kernel/events/persist.ts";
import { runInTransaction } from "../../../src/kernel/events/transaction.ts";
import { useApp } from "../../support/app.ts";
import { makeCard, makeWorkspace } from "../../support/make.ts";
import { fill } from "../../transfer/exports/many.ts";
import { watchAll } from "./many.ts";
import { assign, typesOf, makeTeam, mention, notificationsOf, watch } from "./team.ts";

const app = useApp({ isolated: true });

describe("a member", () => {
  test("is notified of an assignment, with the actor and the card", async () => {
    const { ann, ben, cleo, board, card, workspace } = await makeTeam(app());
    await assign(ann, card, ben);
    const [notification, ...others] = await notificationsOf(ben);
    expect(others).toEqual([]);
    expect(notification).toMatchObject({
      type: "assigned",
      event: "card.member_added",
      actor: { type: "user", publicId: ann.publicId, name: "Admin" },
      workspace: { publicId: workspace.publicId },
      board: { publicId: board.publicId },
      card: { publicId: card, cardNumber: expect.stringMatching(/-1$/) },
      comment: null,
      isRead: false,
      readAt: null,
    });
    expect(await notificationsOf(cleo)).toEqual([]);
    expect(await notificationsOf(ann)).toEqual([]);
  });

  test("is notified of an assignment to a new card, unless they made it", async () => {
    const { ann, ben, cleo, list } = await makeTeam(app());
    const memberPublicIds = [ben.memberPublicId, cleo.memberPublicId];
    await ben.rest.post("/cards", { title: "New", listPublicId: list, memberPublicIds });
    expect(await typesOf(cleo)).toEqual([["assigned", "card.created"]]);
    expect(await notificationsOf(ben)).toEqual([]);
    expect(await notificationsOf(ann)).toEqual([]);
  });

  test("watches a card after an assignment, until they stop", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await assign(ann, card, ben);
    await ann.rest.put(`/cards/${card}`, { title: "Changed" });
    await watch(ben, card, false);
    await ann.rest.put(`/cards/${card}`, { title: "Changed again" });
    expect(await typesOf(ben)).toEqual([
      ["watched", "card.updated"],
      ["assigned", "card.member_added"],
    ]);
  });

  test("is notified once of a mention in a description", async () => {
    const { ann, ben, cleo, list } = await makeTeam(app());
    const { body: card } = await ann.rest.post("/cards", {
      title: "New",
      listPublicId: list,
      description: `${mention(ben)} and ${mention(ben)}`,
    });
    expect(await typesOf(ben)).toEqual([["mentioned", "card.created"]]);
    const both = `${mention(ben)}, ${mention(cleo)}`;
    await ann.rest.put(`/cards/${card.publicId}`, { description: both });
    await ann.rest.put(`/cards/${card.publicId}`, { description: `${both}!` });
    expect(await typesOf(ben)).toHaveLength(1);
    expect(await typesOf(cleo)).toEqual([["mentioned", "card.updated"]]);
  });

  test("is notified of a mention in a comment, with an excerpt, and again only of a new mention", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    const path = `/cards/${card}/comments`;
    const long = `${mention(ben)} ${"word ".repeat(100)}`;
    const { body: comment } = await ann.rest.post(path, { comment: long });
    const [notification] = await notificationsOf(ben);
    expect(notification).toMatchObject({ type: "mentioned", event: "comment.created" });
    expect(notification.comment.publicId).toBe(comment.publicId);
    expect(notification.comment.excerpt).toBe(`${long.slice(0, 280)}…`);
    await ann.rest.put(`${path}/${comment.publicId}`, {
      comment: `${mention(ben)} ${mention(cleo)}`,
    });
    expect(await typesOf(ben)).toHaveLength(1);
    expect(await typesOf(cleo)).toEqual([["mentioned", "comment.updated"]]);
  });

  test("is notified of an assignment to a checklist item, not of its removal", async () => {
    const { ann, ben, card } = await makeTeam(app());
    const { body } = await ann.rest.post(`/cards/${card}/checklists`, { name: "L", items: ["a"] });
    const path = `/checklists/items/${body.items[0].publicId}`;
    await ann.rest.put(path, { memberPublicId: ben.memberPublicId });
    await watch(ben, card, false);
    await ann.rest.put(path, { memberPublicId: null });
    expect(await typesOf(ben)).toEqual([["assigned", "checklist_item.updated"]]);
  });

  test("of another workspace is not notified of a mention", async () => {
    const { ann, card } = await makeTeam(app());
    const { cleo: stranger } = await makeTeam(app());
    await ann.rest.put(`/cards/${card}`, { description: mention(stranger) });
    expect(await notificationsOf(stranger)).toEqual([]);
  });

  test("without an account is not notified, and nothing fails", async () => {
    const { ann, card, workspace } = await makeTeam(app());
    const { body: member } = await ann.rest.post(
      `/workspaces/${workspace.publicId}/members/invite`,
      {
        email: "stranger@example.com",
      },
    );
    expect((await assign(ann, card, { memberPublicId: member.publicId })).status).toBe(200);
  });
});

describe("a watcher of a card", () => {
  test("is notified of changes by others", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    await watch(ben, card);
    await cleo.rest.put(`/cards/${card}`, { title: "By Cleo" });
    await ben.rest.put(`/cards/${card}`, { title: "By Ben" });
    await ann.rest.post(`/cards/${card}/checklists`, { name: "Steps" });
    expect(await typesOf(ben)).toEqual([
      ["watched", "checklist.created"],
      ["watched", "card.updated"],
    ]);
  });

  test("is notified once of a write, by the rule of the lowest rank", async () => {
    const { ann, ben, board, card } = await makeTeam(app());
    await watch(ben, card);
    await ann.rest.put(`/cards/${card}`, {
      title: "Changed",
      listPublicId: board.lists[1],
      isComplete: true,
      description: mention(ben),
    });
    expect(await typesOf(ben)).toEqual([["mentioned", "card.updated"]]);
  });

  test("is not notified without a change", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await ann.rest.put(`/cards/${card}`, { title: "The same" });
    await watch(ben, card);
    await ann.rest.put(`/cards/${card}`, { title: "The same" });
    expect(await notificationsOf(ben)).toEqual([]);
  });

  test("becomes one with a comment", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await ben.rest.post(`/cards/${card}/comments`, { comment: "Mine" });
    await ann.rest.post(`/cards/${card}/comments`, { comment: "An answer" });
    expect(await notificationsOf(ben)).toMatchObject([
      { type: "watched", event: "comment.created", comment: { excerpt: "An answer" } },
    ]);
    expect(await notificationsOf(ann)).toEqual([]);
  });
});

describe("no notification", () => {
  test("for a restricted board without the member", async () => {
    const { ann, ben, cleo, board, card } = await makeTeam(app());
    await assign(ann, card, ben);
    await watch(cleo, card);
    await ann.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    await ann.rest.put(`/boards/${board.publicId}/members/${ben.memberPublicId}`);
    await ann.rest.put(`/cards/${card}`, { description: `${mention(ben)} ${mention(cleo)}` });
    expect(await typesOf(ben)).toEqual([
      ["mentioned", "card.updated"],
      ["assigned", "card.member_added"],
    ]);
    expect(await rowsOf(cleo)).toEqual([]);
  });

  test("for a removed member", async () => {
    const { ann, ben, card, workspace } = await makeTeam(app());
    await watch(ben, card);
    await ann.rest.delete(`/workspaces/${workspace.publicId}/members/${ben.memberPublicId}`);
    await ann.rest.put(`/cards/${card}`, { description: mention(ben) });
    expect(await rowsOf(ben)).toEqual([]);
  });

  test("for a comment without comment:view", async () => {
    const { ann, ben, card, workspace } = await makeTeam(app());
    await watch(ben, card);
    await ann.rest.post(
      `/workspaces/${workspace.publicId}/members/${ben.memberPublicId}/permissions/revoke`,
      { permission: "comment:view" },
    );
    await ann.rest.post(`/cards/${card}/comments`, { comment: `Secret for ${mention(ben)}` });
    expect(await rowsOf(ben)).toEqual([]);
    await ann.rest.put(`/cards/${card}`, { title: "Not secret" });
    expect(await rowsOf(ben)).toHaveLength(1);
  });

  test("for a failed write", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await watch(ben, card);
    const headers = { "If-Match": '"99"' };
    expect((await ann.rest.put(`/cards/${card}`, { title: "Late" }, { headers })).status).toBe(412);
    expect(await rowsOf(ben)).toEqual([]);
  });
});

test("an invitation notifies the user with that address", async () => {
  const { ben } = await makeTeam(app());
  const other = await makeWorkspace(app());
  await other.admin.rest.post(`/workspaces/${other.publicId}/members/invite`, { email: ben.email });
  expect(await notificationsOf(ben)).toMatchObject([
    {
      type: "invited",
      event: "member.invited",
      workspace: { publicId: other.publicId },
      board: null,
      card: null,
    },
  ]);
});

test("one action on many cards causes one notification of each kind, with the number of cards", async () => {
  const { ann, ben, board, list, card } = await makeTeam(app());
  const cards = [card];
  for (let n = 0; n < 40; n++) cards.push(await makeCard(ann, list));
  for (const one of cards) await watch(ben, one);
  const { status } = await ann.rest.post(`/lists/${list}/move-cards`, {
    targetListPublicId: board.lists[1],
  });
  expect(status).toBe(200);
  expect(await notificationsOf(ben)).toMatchObject([
    { type: "watched", event: "card.moved", cardCount: 41 },
  ]);
  const bulk = await ann.rest.post(`/boards/${board.publicId}/cards/bulk`, {
    cardPublicIds: cards.slice(0, 12),
    set: { addMemberPublicIds: [ben.memberPublicId] },
  });
  expect(bulk).toMatchObject({ status: 200, body: { changed: 12 } });
  const [assigned] = await notificationsOf(ben);
  expect(assigned).toMatchObject({ type: "assigned", event: "card.member_added", cardCount: 12 });
  expect(cards.slice(0, 12)).toContain(assigned?.card?.publicId);
});

test("comments on several cards in one batch stay apart", async () => {
  const { ann, ben, list, card, workspace } = await makeTeam(app());
  const cards = [card, await makeCard(ann, list)];
  for (const one of cards) await watch(ben, one);
  const operations = cards.map((cardPublicId) => ({
    operation: "comment.create",
    input: { cardPublicId, comment: "Look" },
  }));
  const path = `/workspaces/${workspace.publicId}/batch`;
  expect(await ann.rest.post(path, { operations })).toMatchObject({ status: 200 });
  expect(await notificationsOf(ben)).toMatchObject([{ cardCount: 1 }, { cardCount: 1 }]);
});

test("a transaction of more events than a statement writes notifies once of a card", async () => {
  const { ben, card: publicId } = await makeTeam(app());
  await watch(ben, publicId);
  const {
    list: { board, ...list },
    ...card
  } = await app().db.reader.card.findUniqueOrThrow({
    where: { publicId },
    include: { list: { include: { board: true } } },
  });
  await runInTransaction(app().deps, ["card.archived"], async (tx) => {
    tx.workspaceId = card.workspaceId;
    for (let n = 0; n < 1_100; n++) tx.emit("card.archived", { card, list, board });
    await persistEvents(tx, actorOf(null), null);
  });
  expect(await rowsOf(ben)).toHaveLength(1);
});

test("an action of more events than a statement writes counts all cards in one notification", async () => {
  const { ben, list: listPublicId } = await makeTeam(app());
  await fill(app(), listPublicId, { cards: 1_100 });
  await watchAll(app(), listPublicId, ben);
  const cards = await app().db.reader.card.findMany({
    where: { list: { publicId: listPublicId } },
    include: { list: { include: { board: true } } },
  });
  await runInTransaction(app().deps, ["card.archived"], async (tx) => {
    tx.workspaceId = cards[0]?.workspaceId ?? 0n;
    for (const {
      list: { board, ...list },
      ...card
    } of cards)
      tx.emit("card.archived", { card, list, board });
    await persistEvents(tx, actorOf(null), null);
  });
  expect(await notificationsOf(ben)).toMatchObject([{ cardCount: cards.length }]);
});

async function rowsOf({ publicId }: { publicId: string }) {
  return app().db.reader.notification.findMany({ where: { user: { publicId } } });
}
