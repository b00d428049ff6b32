import { describe, expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { makeUser } from "../../support/make.ts";
import { assign, typesOf, makeTeam, mention, notificationsOf, watch } from "./team.ts";

const app = useApp({ isolated: true });

describe("user.notifications", () => {
  test("returns the newest first, in pages without duplicates while others arrive", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await watch(ben, card);
    const change = (title: string) => ann.rest.put(`/cards/${card}`, { title });
    for (let n = 0; n < 7; n++) await change(`${n}`);
    const all = await notificationsOf(ben);
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

  test("refuses the cursor of another user", async () => {
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
    expect(items).toEqual(await notificationsOf(ben));
  });

  test("shows current names", async () => {
    const { ann, ben, card, board } = await makeTeam(app());
    await assign(ann, card, ben);
    await ann.rest.put(`/cards/${card}`, { title: "Renamed" });
    await ann.rest.put(`/boards/${board.publicId}`, { name: "Renamed as well" });
    expect((await notificationsOf(ben)).at(-1)).toMatchObject({
      card: { title: "Renamed" },
      board: { name: "Renamed as well" },
    });
  });

  test("hides boards that the caller cannot see, and shows them again later", async () => {
    const { ann, ben, card, board, workspace } = await makeTeam(app());
    await assign(ann, card, ben);
    const boardPath = `/boards/${board.publicId}`;
    const memberPath = `/workspaces/${workspace.publicId}/members/${ben.memberPublicId}`;
    const before = await typesOf(ben);
    expect(before).toHaveLength(1);
    await ann.rest.put(boardPath, { visibility: "restricted" });
    expect(await notificationsOf(ben)).toEqual([]);
    await ann.rest.put(`${boardPath}/members/${ben.memberPublicId}`);
    expect(await typesOf(ben)).toEqual(before);
    await ann.rest.delete(boardPath);
    expect(await notificationsOf(ben)).toEqual([]);
    await ann.rest.post(`${boardPath}/restore`);
    expect(await typesOf(ben)).toEqual(before);
    await ann.rest.post(`${memberPath}/permissions/revoke`, { permission: "card:view" });
    expect(await notificationsOf(ben)).toEqual([]);
    await ann.rest.post(`${memberPath}/permissions/reset`);
    expect(await typesOf(ben)).toEqual(before);
    await ann.rest.delete(memberPath);
    expect(await notificationsOf(ben)).toEqual([]);
  });

  test("hides a card that moved to a board that the caller cannot see", async () => {
    const { ann, ben, card, workspace } = await makeTeam(app());
    await assign(ann, card, ben);
    const { body: hidden } = await ann.rest.post(`/workspaces/${workspace.publicId}/boards`, {
      name: "Hidden",
      visibility: "restricted",
      lists: ["One"],
    });
    const membership = `/boards/${hidden.publicId}/members/${ben.memberPublicId}`;
    await ann.rest.put(membership);
    await ann.rest.put(`/cards/${card}`, { listPublicId: hidden.lists[0].publicId });
    expect(await notificationsOf(ben)).not.toEqual([]);
    await ann.rest.delete(membership);
    expect(await notificationsOf(ben)).toEqual([]);
  });

  test("hides comments without comment:view", async () => {
    const { ann, ben, card, workspace } = await makeTeam(app());
    await ann.rest.post(`/cards/${card}/comments`, { comment: mention(ben) });
    expect(await notificationsOf(ben)).toHaveLength(1);
    const path = `/workspaces/${workspace.publicId}/members/${ben.memberPublicId}/permissions/revoke`;
    await ann.rest.post(path, { permission: "comment:view" });
    expect(await notificationsOf(ben)).toEqual([]);
  });
});

describe("user.readNotification", () => {
  test("marks a notification as read and unread", async () => {
    const { ann, ben, card } = await makeTeam(app());
    await watch(ben, card);
    for (let n = 0; n < 2; n++) await ann.rest.put(`/cards/${card}`, { title: `${n}` });
    const [newest, oldest] = await notificationsOf(ben);
    const path = `/users/me/notifications/${newest.publicId}`;
    expect((await ben.rest.put(path, { read: true })).body).toEqual({ success: true });
    expect((await notificationsOf(ben))[0]).toMatchObject({ isRead: true });
    expect(await notificationsOf(ben, "?unread=true")).toEqual([oldest]);
    app().advance(1_000);
    const { readAt } = (await notificationsOf(ben))[0];
    await ben.rest.put(path, { read: true });
    expect((await notificationsOf(ben))[0].readAt).toBe(readAt);
    await ben.rest.put(path, { read: false });
    expect(await notificationsOf(ben, "?unread=true")).toHaveLength(2);
  });

  test("finds no notification of another user", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    await assign(ann, card, ben);
    const [{ publicId }] = (await notificationsOf(ben)) as [{ publicId: string }];
    const { status, body } = await cleo.rest.put(`/users/me/notifications/${publicId}`, {
      read: true,
    });
    expect(status).toBe(404);
    expect(body.issues[0].code).toBe("notification_not_found");
    expect((await notificationsOf(ben))[0].isRead).toBe(false);
  });
});

describe("user.readAllNotifications", () => {
  test("marks all of the caller's as read, or those before a time", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    await watch(ben, card);
    await watch(cleo, card);
    for (let n = 0; n < 3; n++) {
      await ann.rest.put(`/cards/${card}`, { title: `${n}` });
      app().advance(60_000);
    }
    const unread = async () => (await notificationsOf(ben, "?unread=true")).length;
    const [, middle] = await notificationsOf(ben);
    const before = { before: middle.createdAt };
    expect((await ben.rest.post("/users/me/notifications/read", before)).body).toEqual({
      success: true,
    });
    expect(await unread()).toBe(2);
    await ben.rest.post("/users/me/notifications/read");
    expect(await unread()).toBe(0);
    expect(await notificationsOf(cleo, "?unread=true")).toHaveLength(3);
  });
});

describe("user.preferences", () => {
  const everything = { app: true, mail: true };

  test("are both channels for every type by default", async () => {
    const { rest, publicId } = await makeUser(app());
    const types = ["assigned", "mentioned", "watched", "due_soon", "invited", "webhook_disabled"];
    expect((await rest.get("/users/me/preferences")).body).toEqual({
      userPublicId: publicId,
      version: 1,
      notifications: Object.fromEntries(types.map((type) => [type, everything])),
    });
  });

  test("change for the given types and channels only", async () => {
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

  test("refuse an unknown type and a stale version", async () => {
    const { rest } = await makeUser(app());
    const put = (body: object, headers = {}) =>
      rest.put("/users/me/preferences", body, { headers });
    expect((await put({ notifications: { gossip: { app: true } } })).status).toBe(400);
    expect((await put({ notifications: { watched: { app: "yes" } } })).status).toBe(400);
    const change = { notifications: { watched: { app: false } } };
    expect((await put(change, { "If-Match": '"7"' })).status).toBe(412);
    expect((await put(change, { "If-Match": '"1"' })).status).toBe(200);
  });

  test("select the notification: with mentions off, a watcher gets the change", async () => {
    const { ann, ben, cleo, card } = await makeTeam(app());
    const neither = { app: false, mail: false };
    await ben.rest.put("/users/me/preferences", { notifications: { mentioned: neither } });
    await watch(ben, card);
    await cleo.rest.put("/users/me/preferences", { notifications: { mentioned: { app: false } } });
    await ann.rest.put(`/cards/${card}`, { description: `${mention(ben)} ${mention(cleo)}` });
    expect(await typesOf(ben)).toEqual([["watched", "card.updated"]]);
    expect(await notificationsOf(cleo)).toEqual([]);
  });
});
