import { expect, test } from "vitest";
import { keyOf } from "../../kernel/access/key-scene.ts";
import { eventsIn, setOverride } from "../../kernel/access/membership.ts";
import { useApp } from "../../support/app.ts";
import type { As } from "../../support/as.ts";
import { join, makeBoard, makeCard, makeUser, makeWorkspace } from "../../support/make.ts";
import { setDeleted } from "../../support/rows.ts";

const app = useApp();

test("workspace.getBySlug equals workspace.get, for members only, ignoring case", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId, slug } = workspace;
  const { body, headers } = await admin.rest.get(`/workspaces/by-slug/${slug.toUpperCase()}`);
  const same = await admin.rest.get(`/workspaces/${publicId}`);
  expect(body).toEqual(same.body);
  expect(headers.get("etag")).toBe(same.headers.get("etag"));
  expect(await admin.trpc.workspace.getBySlug.query({ workspaceSlug: slug })).toEqual(body);
  const stranger = await makeUser(app());
  expect((await stranger.rest.get(`/workspaces/by-slug/${slug}`)).status).toBe(403);
  expect((await admin.rest.get("/workspaces/by-slug/no-such-slug")).status).toBe(404);
  await admin.rest.delete(`/workspaces/${publicId}`);
  expect((await admin.rest.get(`/workspaces/by-slug/${slug}`)).status).toBe(404);
});

test("workspace.checkSlugAvailability finds taken and reserved slugs, ignoring case", async () => {
  const { admin, slug } = await makeWorkspace(app());
  const check = async (requested: string) =>
    (await admin.rest.get(`/workspaces/check-slug-availability?slug=${requested}`)).body;
  expect(await check(slug.toUpperCase())).toEqual({ isAvailable: false, isReserved: false });
  expect(await check("Settings")).toEqual({ isAvailable: false, isReserved: true });
  expect(await check("free-as-a-bird")).toEqual({ isAvailable: true, isReserved: false });
  expect((await admin.rest.get("/workspaces/check-slug-availability?slug=a")).status).toBe(400);
});

test("workspace.restore restores a workspace with its slug, once", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId, slug } = workspace;
  const { lists } = await makeBoard(workspace);
  const member = await join(app(), workspace, "member");
  const restore = (who: As) => who.rest.post(`/workspaces/${publicId}/restore`);
  await admin.rest.delete(`/workspaces/${publicId}`);
  expect((await admin.rest.get(`/lists/${lists[0]}`)).status).toBe(404);
  expect((await restore(member)).status).toBe(403);
  const first = await restore(admin);
  expect(first).toMatchObject({ status: 200, body: { slug, version: 3 } });
  expect((await restore(admin)).body).toEqual(first.body);
  expect((await admin.rest.get(`/lists/${lists[0]}`)).status).toBe(200);
  expect(await eventsIn(app(), publicId, "workspace.restored")).toHaveLength(1);
});

test("workspace.trash returns visible deleted resources, latest first", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const board = await makeBoard(workspace);
  const hidden = await makeBoard(workspace);
  const member = await join(app(), workspace, "member");
  await admin.rest.put(`/boards/${hidden.publicId}`, { visibility: "restricted" });
  const card = await makeCard(admin, board.lists[0] ?? "", "A card");
  const secret = await makeCard(admin, hidden.lists[0] ?? "", "A secret");
  const deleted = [
    `cards/${card}`,
    `cards/${secret}`,
    `lists/${board.lists[1]}`,
    `boards/${hidden.publicId}`,
  ];
  for (const one of deleted) {
    app().advance(1000);
    await admin.rest.delete(`/${one}`);
  }
  const trash = async (who: As, query = "") => {
    const { body } = await who.rest.get(`/workspaces/${publicId}/trash${query}`);
    return body.items.map(
      ({ type, publicId: id }: { type: string; publicId: string }) => `${type}s/${id}`,
    );
  };
  expect(await trash(admin)).toEqual(deleted.toReversed());
  expect(await trash(admin, "?type=card")).toEqual([deleted[1], deleted[0]]);
  expect(await trash(member)).toEqual([deleted[2], deleted[0]]);
  await setOverride(app(), member.memberPublicId, "card:view", false);
  expect(await trash(member)).toEqual([deleted[2]]);
  expect(await trash(member, "?type=card")).toEqual([]);
  const first = await admin.trpc.workspace.trash.query({ workspacePublicId: publicId, limit: 3 });
  await admin.rest.post(`/boards/${hidden.publicId}/restore`);
  expect(await trash(admin, `?cursor=${first.nextCursor}`)).toEqual([deleted[0]]);
});

test("expired resources are not listed, also before the purge", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const old = await makeWorkspace(app(), admin);
  const key = await keyOf(app(), admin);
  const [board, going] = [await makeBoard(workspace), await makeBoard(workspace)];
  const [list = "", other = ""] = board.lists;
  const [alone, inList, onBoard] = [
    await makeCard(admin, other),
    await makeCard(admin, list),
    await makeCard(admin, going.lists[0] ?? ""),
  ];
  await admin.rest.delete(`/workspaces/${old.publicId}`);
  await admin.rest.delete(`/lists/${list}`);
  await admin.rest.delete(`/boards/${going.publicId}`);
  app().advance(29 * 24 * 60 * 60 * 1000);
  for (const card of [alone, inList, onBoard]) {
    await setDeleted(app(), "cards", card, app().deps.clock());
  }
  const listed = async () => {
    const { items } = (await key.rest.get(`/workspaces/${publicId}/trash`)).body;
    const { body: gone } = await key.rest.get("/workspaces?deleted=true");
    return [...items.map((item: { publicId: string }) => item.publicId), gone.length];
  };
  expect(new Set(await listed())).toEqual(
    new Set([alone, inList, onBoard, list, going.publicId, 1]),
  );
  app().advance(2 * 24 * 60 * 60 * 1000);
  expect(await listed()).toEqual([alone, 0]);
  for (const one of [`lists/${list}`, `boards/${going.publicId}`, `workspaces/${old.publicId}`]) {
    expect((await key.rest.post(`/${one}/restore`)).status).toBe(404);
  }
});

test("workspace.audit returns actor, credential, IP and request id to managers", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId } = workspace;
  const { lists } = await makeBoard(workspace);
  const member = await join(app(), workspace, "member");
  app().advance(1000);
  const since = app().deps.clock().toISOString();
  const headers = { "X-Request-Id": "my-request-1" };
  await member.rest.post("/cards", { title: "A", listPublicId: lists[0] }, { headers });
  const path = `/workspaces/${publicId}/audit`;
  const read = async (query: string) => (await admin.rest.get(`${path}${query}`)).body.items;
  const [entry] = await read(`?since=${since}`);
  expect(entry).toMatchObject({
    type: "card.created",
    actor: { type: "user", publicId: member.publicId, name: "A member" },
    credential: "session",
    ip: "local",
    requestId: "my-request-1",
  });
  expect(await read(`?actor=${member.publicId}&type=card.created`)).toEqual([entry]);
  expect(await read(`?until=${since}&type=card.created`)).toEqual([]);
  expect((await admin.rest.get(`${path}?type=no.such`)).status).toBe(400);
  expect((await member.rest.get(path)).status).toBe(403);
  const first = await admin.trpc.workspace.audit.query({ workspacePublicId: publicId, limit: 1 });
  const rest = await read(`?cursor=${first.nextCursor}`);
  const all = await read("");
  expect([...first.items, ...rest]).toEqual(all);
});
