import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { assign, heard, makeTeam, mention, told, watch } from "./told.ts";

const app = useApp({ isolated: true });

describe("user.notifications", () => {
  test("answers the newest first, page by page, each once while more come in", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await watch(ben, card);
    const change = (title: string) => ann.rest.put(`/cards/${card}`, { title });
    for (let n = 0; n < 7; n++) await change(`${n}`);
    const all = await told(ben);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { body } = await ben.rest.get(`/users/me/notifications?limit=3${query}`);
      seen.push(...body.items.map(({ publicId }: { publicId: string }) => publicId));
      cursor = body.nextCursor;
      await change(`While reading ${seen.length}`);
    } while (cursor !== null);
    expect(seen).toEqual(all.map(({ publicId }) => publicId));
    expect(all).toHaveLength(7);
  });

  test("takes no cursor of another user", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    await watch(ben, card);
    for (let n = 0; n < 2; n++) await ann.rest.put(`/cards/${card}`, { title: `${n}` });
    const { body } = await ben.rest.get("/users/me/notifications?limit=1");
    const { status } = await cleo.rest.get(`/users/me/notifications?cursor=${body.nextCursor}`);
    expect(status).toBe(400);
  });

  test("is user.notifications over tRPC", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await assign(ann, card, ben);
    const { items } = await ben.trpc.user.notifications.query({ unread: true });
    expect(items).toEqual(await told(ben));
  });

  test("shows the names as they are now", async () => {
    const { ann, ben, card, board } = await makeTeam(app());
    await assign(ann, card, ben);
    await ann.rest.put(`/cards/${card}`, { title: "Renamed" });
    await ann.rest.put(`/boards/${board.publicId}`, { name: "Renamed as well" });
    expect((await told(ben)).at(-1)).toMatchObject({
      card: { title: "Renamed" },
      board: { name: "Renamed as well" },
    });
  });

  test("hides what lies on a board that its reader cannot see any more, and shows it again when they can", async () => {
    const { ann, ben, card, board, workspace } = await makeTeam(app());
    await assign(ann, card, ben);
    const boardPath = `/boards/${board.publicId}`;
    const memberPath = `/workspaces/${workspace.publicId}/members/${ben.memberPublicId}`;
    const before = await heard(ben);
    expect(before).toHaveLength(1);
    await ann.rest.put(boardPath, { visibility: "restricted" });
    expect(await told(ben)).toEqual([]);
    await ann.rest.put(`${boardPath}/members/${ben.memberPublicId}`);
    expect(await heard(ben)).toEqual(before);
    await ann.rest.delete(boardPath);
    expect(await told(ben)).toEqual([]);
    await ann.rest.post(`${boardPath}/restore`);
    expect(await heard(ben)).toEqual(before);
    await ann.rest.post(`${memberPath}/permissions/revoke`, { permission: "card:view" });
    expect(await told(ben)).toEqual([]);
    await ann.rest.post(`${memberPath}/permissions/reset`);
    expect(await heard(ben)).toEqual(before);
    await ann.rest.delete(memberPath);
    expect(await told(ben)).toEqual([]);
  });

  test("hides a card that went to a board which its reader cannot see", async () => {
    const { ann, ben, card, workspace } = await makeTeam(app());
    await assign(ann, card, ben);
    const { body: hidden } = await ann.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Hidden",
      visibility: "restricted",
      lists: ["One"],
    });
    await ann.rest.put(`/cards/${card}`, { listPublicId: hidden.lists[0].publicId });
    expect(await told(ben)).toEqual([]);
  });

  test("hides comments from whoever may not read them any more", async () => {
    const { ann, ben, card, workspace } = await makeTeam(app());
    await ann.rest.post(`/cards/${card}/comments`, { comment: mention(ben) });
    expect(await told(ben)).toHaveLength(1);
    const path = `/workspaces/${workspace.publicId}/members/${ben.memberPublicId}/permissions/revoke`;
    await ann.rest.post(path, { permission: "comment:view" });
    expect(await told(ben)).toEqual([]);
  });
});

describe("user.readNotification", () => {
  test("marks one as read, and as unread again", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await watch(ben, card);
    for (let n = 0; n < 2; n++) await ann.rest.put(`/cards/${card}`, { title: `${n}` });
    const [newest, oldest] = await told(ben);
    const path = `/users/me/notifications/${newest.publicId}`;
    expect((await ben.rest.put(path, { read: true })).body).toEqual({ success: true });
    expect((await told(ben))[0]).toMatchObject({ isRead: true });
    expect(await told(ben, "?unread=true")).toEqual([oldest]);
    app().advance(1_000);
    const { readAt } = (await told(ben))[0];
    await ben.rest.put(path, { read: true });
    expect((await told(ben))[0].readAt).toBe(readAt);
    await ben.rest.put(path, { read: false });
    expect(await told(ben, "?unread=true")).toHaveLength(2);
  });

  test("finds no notification of another user", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    await assign(ann, card, ben);
    const [{ publicId }] = (await told(ben)) as [{ publicId: string }];
    const { status, body } = await cleo.rest.put(`/users/me/notifications/${publicId}`, {
      read: true,
    });
    expect(status).toBe(404);
    expect(body.issues[0].code).toBe("notification_not_found");
    expect((await told(ben))[0].isRead).toBe(false);
  });
});

describe("user.readAllNotifications", () => {
  test("marks all as read, or those before a moment, and only one's own", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    await watch(ben, card);
    await watch(cleo, card);
    for (let n = 0; n < 3; n++) {
      await ann.rest.put(`/cards/${card}`, { title: `${n}` });
      app().advance(60_000);
    }
    const unread = async () => (await told(ben, "?unread=true")).length;
    const [, middle] = await told(ben);
    const before = { before: middle.createdAt };
    expect((await ben.rest.post("/users/me/notifications/read", before)).body).toEqual({
      success: true,
    });
    expect(await unread()).toBe(2);
    await ben.rest.post("/users/me/notifications/read");
    expect(await unread()).toBe(0);
    expect(await told(cleo, "?unread=true")).toHaveLength(3);
  });
});

describe("user.preferences", () => {
  const everything = { app: true, mail: true };

  test("are both ways for every type until somebody says otherwise", async () => {
    const { rest } = await makeUser(app());
    const types = ["assigned", "mentioned", "watched", "due_soon", "invited", "webhook_disabled"];
    expect((await rest.get("/users/me/preferences")).body).toEqual({
      notifications: Object.fromEntries(types.map((type) => [type, everything])),
    });
  });

  test("change where they are given, and only there", async () => {
    const { rest, trpc } = await makeUser(app());
    const change = {
      notifications: { watched: { mail: false }, assigned: { app: false, mail: false } },
    };
    const { status, body, headers } = await rest.put("/users/me/preferences", change);
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe('"2"');
    expect(body.notifications).toMatchObject({
      watched: { app: true, mail: false },
      assigned: { app: false, mail: false },
      mentioned: everything,
    });
    await rest.put("/users/me/preferences", { notifications: { watched: { app: false } } });
    const { notifications } = await trpc.user.preferences.query();
    expect(notifications.watched).toEqual({ app: false, mail: false });
    expect((await rest.put("/users/me/preferences", {})).headers.get("etag")).toBe('"3"');
  });

  test("refuse what is no type, and a change of an old version", async () => {
    const { rest } = await makeUser(app());
    const put = (body: object, headers = {}) =>
      rest.put("/users/me/preferences", body, { headers });
    expect((await put({ notifications: { gossip: { app: true } } })).status).toBe(400);
    expect((await put({ notifications: { watched: { app: "yes" } } })).status).toBe(400);
    const change = { notifications: { watched: { app: false } } };
    expect((await put(change, { "If-Match": '"7"' })).status).toBe(412);
    expect((await put(change, { "If-Match": '"1"' })).status).toBe(200);
  });

  test("decide what somebody hears of: a mention that is not wanted is still a change of a watched card", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    const neither = { app: false, mail: false };
    await ben.rest.put("/users/me/preferences", { notifications: { mentioned: neither } });
    await watch(ben, card);
    await cleo.rest.put("/users/me/preferences", { notifications: { mentioned: { app: false } } });
    await ann.rest.put(`/cards/${card}`, { description: `${mention(ben)} ${mention(cleo)}` });
    expect(await heard(ben)).toEqual([["watched", "card.updated"]]);
    expect(await told(cleo)).toEqual([]);
  });
});
