import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp();

test("card.getByNumber finds a card by ENG-12 and by 12, with the card's own ETag", async () => {
  const workspace = await makeWorkspace(app());
  const { admin, publicId, cardPrefix } = workspace;
  const [list = ""] = (await makeBoard(workspace)).lists;
  await makeCard(admin, list);
  const card = await makeCard(admin, list, "Second");
  await admin.rest.put(`/cards/${card}`, { title: "Changed" });
  const path = `/workspaces/${publicId}/cards`;
  const found = await admin.rest.get(`${path}/${cardPrefix}-2`);
  expect(found).toMatchObject({ status: 200, body: { publicId: card, title: "Changed" } });
  expect(found.headers.get("etag")).toMatch(/^"2-/);
  expect((await admin.rest.get(`/cards/${card}`)).body).toEqual(found.body);
  const asked = { workspacePublicId: publicId, cardNumber: "2" };
  expect(await admin.trpc.card.getByNumber.query(asked)).toEqual(found.body);
  for (const [number, status] of [
    ["99", 404],
    ["0", 400],
    ["x", 400],
    ["2147483648", 400],
  ] as const)
    expect((await admin.rest.get(`${path}/${number}`)).status).toBe(status);
  await admin.rest.delete(`/cards/${card}`);
  expect((await admin.rest.get(`${path}/2`)).status).toBe(404);
});

test("card.getByNumber hides restricted boards, and follows an old number only for members of both workspaces", async () => {
  const here = await makeWorkspace(app());
  const { admin } = here;
  const there = await makeWorkspace(app(), admin);
  const member = await join(app(), here, "member");
  const board = await makeBoard(here);
  const card = await makeCard(admin, board.lists[0] ?? "");
  const path = `/workspaces/${here.publicId}/cards/1`;
  expect((await member.rest.get(path)).status).toBe(200);
  await admin.rest.put(`/boards/${board.publicId}`, { visibility: "restricted" });
  expect((await member.rest.get(path)).status).toBe(404);
  await admin.rest.put(`/boards/${board.publicId}`, { visibility: "private" });
  const moved = await admin.rest.post(`/boards/${board.publicId}/move`, {
    workspacePublicId: there.publicId,
  });
  expect(moved.status).toBe(200);
  const { body } = await admin.rest.get(path);
  expect(body).toMatchObject({ publicId: card, workspacePublicId: there.publicId });
  expect((await member.rest.get(path)).status).toBe(404);
  const { body: bound } = await admin.rest.post("/auth/api-keys", {
    password: "a password for tests",
    name: "here",
    workspacePublicId: here.publicId,
  });
  expect((await app().call({ method: "GET", path, token: bound.key })).status).toBe(404);
});

test("card.activities pages through a card's history, newest first, without comments for members without comment:view", async () => {
  const workspace = await makeWorkspace(app());
  const { admin } = workspace;
  const card = await makeCard(admin, (await makeBoard(workspace)).lists[0] ?? "");
  await admin.rest.put(`/cards/${card}`, { title: "New" });
  await admin.rest.post(`/cards/${card}/comments`, { comment: "Hello" });
  const types = ["comment.created", "card.updated", "card.created"];
  const first = await admin.rest.get(`/cards/${card}/activities?limit=2`);
  const second = await admin.trpc.card.activities.query({
    cardPublicId: card,
    cursor: first.body.nextCursor,
  });
  const items = [...first.body.items, ...second.items];
  expect(items.map(({ type }: { type: string }) => type)).toEqual(types);
  expect(second.nextCursor).toBeNull();
  const guest = await join(app(), workspace, "guest");
  await admin.rest.post(
    `/workspaces/${workspace.publicId}/members/${guest.memberPublicId}/permissions/revoke`,
    { permission: "comment:view" },
  );
  const { body } = await guest.rest.get(`/cards/${card}/activities`);
  expect(JSON.stringify(body)).not.toContain("Hello");
});
