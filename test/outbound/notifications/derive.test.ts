import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeCard, makeWorkspace } from "../../support/make.ts";
import { assign, heard, makeTeam, mention, told, watch } from "./told.ts";

const app = useApp({ isolated: true });

describe("a member", () => {
  test("who is put on a card is told by whom, on which card", async () => {
    const { ann, ben, cleo, board, card, workspace } = await makeTeam(app());
    await assign(ann, card, ben);
    const [notification, ...others] = await told(ben);
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
    expect(await told(cleo)).toEqual([]);
    expect(await told(ann)).toEqual([]);
  });

  test("who is put on a new card is told, and not of being put there by themselves", async () => {
    const { ann, ben, cleo, list } = await makeTeam(app());
    const memberPublicIds = [ben.memberPublicId, cleo.memberPublicId];
    await ben.rest.post("/cards", { title: "New", listPublicId: list, memberPublicIds });
    expect(await heard(cleo)).toEqual([["assigned", "card.created"]]);
    expect(await told(ben)).toEqual([]);
    expect(await told(ann)).toEqual([]);
  });

  test("who is on a card watches it from then on, until they say otherwise", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await assign(ann, card, ben);
    await ann.rest.put(`/cards/${card}`, { title: "Changed" });
    await watch(ben, card, false);
    await ann.rest.put(`/cards/${card}`, { title: "Changed again" });
    expect(await heard(ben)).toEqual([
      ["watched", "card.updated"],
      ["assigned", "card.member_added"],
    ]);
  });

  test("who is mentioned in a description is told, but of every mention once", async () => {
    const { ann, ben, cleo, list } = await makeTeam(app());
    const { body: card } = await ann.rest.post("/cards", {
      title: "New",
      listPublicId: list,
      description: `${mention(ben)} and ${mention(ben)}`,
    });
    expect(await heard(ben)).toEqual([["mentioned", "card.created"]]);
    const both = `${mention(ben)}, ${mention(cleo)}`;
    await ann.rest.put(`/cards/${card.publicId}`, { description: both });
    await ann.rest.put(`/cards/${card.publicId}`, { description: `${both}!` });
    expect(await heard(ben)).toHaveLength(1);
    expect(await heard(cleo)).toEqual([["mentioned", "card.updated"]]);
  });

  test("who is mentioned in a comment is told with its beginning, and again only by a new mention", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    const path = `/cards/${card}/comments`;
    const long = `${mention(ben)} ${"word ".repeat(100)}`;
    const { body: comment } = await ann.rest.post(path, { comment: long });
    const [notification] = await told(ben);
    expect(notification).toMatchObject({ type: "mentioned", event: "comment.created" });
    expect(notification.comment.publicId).toBe(comment.publicId);
    expect(notification.comment.excerpt).toBe(`${long.slice(0, 280)}…`);
    await ann.rest.put(`${path}/${comment.publicId}`, {
      comment: `${mention(ben)} ${mention(cleo)}`,
    });
    expect(await heard(ben)).toHaveLength(1);
    expect(await heard(cleo)).toEqual([["mentioned", "comment.updated"]]);
  });

  test("who is given an item of a checklist is told, and not when they lose it", async () => {
    const { ann, ben, card } = await makeTeam(app());
    const { body } = await ann.rest.post(`/cards/${card}/checklists`, { name: "L", items: ["a"] });
    const path = `/checklists/items/${body.items[0].publicId}`;
    await ann.rest.put(path, { memberPublicId: ben.memberPublicId });
    await watch(ben, card, false);
    await ann.rest.put(path, { memberPublicId: null });
    expect(await heard(ben)).toEqual([["assigned", "checklist_item.updated"]]);
  });

  test("of another workspace is told of no mention", async () => {
    const { ann, card } = await makeTeam(app());
    const { cleo: stranger } = await makeTeam(app());
    await ann.rest.put(`/cards/${card}`, { description: mention(stranger) });
    expect(await told(stranger)).toEqual([]);
  });

  test("without an account here is told of nothing, and nothing fails", async () => {
    const { ann, card, workspace } = await makeTeam(app());
    const { body: member } = await ann.rest.post(
      `/workspaces/${workspace.publicId}/members/invite`,
      {
        email: "nobody@example.com",
      },
    );
    expect((await assign(ann, card, { memberPublicId: member.publicId })).status).toBe(200);
  });
});

describe("whoever watches a card", () => {
  test("is told of what others do to it", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    await watch(ben, card);
    await cleo.rest.put(`/cards/${card}`, { title: "By Cleo" });
    await ben.rest.put(`/cards/${card}`, { title: "By Ben" });
    await ann.rest.post(`/cards/${card}/checklists`, { name: "Steps" });
    expect(await heard(ben)).toEqual([
      ["watched", "checklist.created"],
      ["watched", "card.updated"],
    ]);
  });

  test("is told once of one write, and of what concerns them most", async () => {
    const { ann, ben, board, card } = await makeTeam(app());
    await watch(ben, card);
    await ann.rest.put(`/cards/${card}`, {
      title: "Changed",
      listPublicId: board.lists[1],
      isComplete: true,
      description: mention(ben),
    });
    expect(await heard(ben)).toEqual([["mentioned", "card.updated"]]);
  });

  test("is told of nothing that was not changed", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await ann.rest.put(`/cards/${card}`, { title: "The same" });
    await watch(ben, card);
    await ann.rest.put(`/cards/${card}`, { title: "The same" });
    expect(await told(ben)).toEqual([]);
  });

  test("began to with a comment of their own", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await ben.rest.post(`/cards/${card}/comments`, { comment: "Mine" });
    await ann.rest.post(`/cards/${card}/comments`, { comment: "An answer" });
    expect(await told(ben)).toMatchObject([
      { type: "watched", event: "comment.created", comment: { excerpt: "An answer" } },
    ]);
    expect(await told(ann)).toEqual([]);
  });
});

describe("nobody is told", () => {
  test("of a restricted board that they are not on", async () => {
    const { ann, ben, cleo, board, card } = await makeTeam(app());
    await assign(ann, card, ben);
    await watch(cleo, card);
    await ann.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
    await ann.rest.put(`/boards/${board.publicId}/members/${ben.memberPublicId}`);
    await ann.rest.put(`/cards/${card}`, { description: `${mention(ben)} ${mention(cleo)}` });
    expect(await heard(ben)).toEqual([
      ["mentioned", "card.updated"],
      ["assigned", "card.member_added"],
    ]);
    expect(await rowsOf(cleo)).toEqual([]);
  });

  test("after they have been removed", async () => {
    const { ann, ben, card, workspace } = await makeTeam(app());
    await watch(ben, card);
    await ann.rest.delete(`/workspaces/${workspace.publicId}/members/${ben.memberPublicId}`);
    await ann.rest.put(`/cards/${card}`, { description: mention(ben) });
    expect(await rowsOf(ben)).toEqual([]);
  });

  test("of a comment that they may not read", async () => {
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

  test("by a write that failed in the end", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await watch(ben, card);
    const headers = { "If-Match": '"99"' };
    expect((await ann.rest.put(`/cards/${card}`, { title: "Late" }, { headers })).status).toBe(412);
    expect(await rowsOf(ben)).toEqual([]);
  });
});

test("an invitation tells whoever has an account with that address", async () => {
  const { ben } = await makeTeam(app());
  const other = await makeWorkspace(app());
  await other.admin.rest.post(`/workspaces/${other.publicId}/members/invite`, { email: ben.email });
  expect(await told(ben)).toMatchObject([
    {
      type: "invited",
      event: "member.invited",
      workspace: { publicId: other.publicId },
      board: null,
      card: null,
    },
  ]);
});

test("a move of many watched cards is told of card by card, each under an id of its own", async () => {
  const { ann, ben, board, list, card } = await makeTeam(app());
  for (let n = 0; n < 40; n++) await watch(ben, await makeCard(ann, list));
  await watch(ben, card);
  const { status } = await ann.rest.post(`/lists/${list}/move-cards`, {
    targetListPublicId: board.lists[1],
  });
  expect(status).toBe(200);
  const rows = await rowsOf(ben);
  expect(rows).toHaveLength(41);
  expect(new Set(rows.map((row) => row.publicId)).size).toBe(41);
});

async function rowsOf({ publicId }: { publicId: string }) {
  return app().db.reader.notification.findMany({ where: { user: { publicId } } });
}
