import { createTRPCClient, httpBatchLink, httpLink } from "@trpc/client";
import { expect, test } from "vitest";
import type { AppRouter } from "../../../src/app/router/index.ts";
import { useApp } from "../../support/app.ts";
import { follow } from "../../support/feed.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { openStream } from "../../support/stream.ts";

const app = useApp();

async function scene() {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace);
  const [list = ""] = board.lists;
  const card = await makeCard(workspace.admin, list);
  const { cursor } = await follow(workspace.admin, workspace.publicId);
  const since = async (who = workspace.admin, at = cursor) =>
    (await follow(who, workspace.publicId, { cursor: at })).items;
  return { workspace, board, list, card, cursor, since };
}

const published = ({ headers }: { headers: Headers }) => ({
  lastEvent: headers.get("last-event"),
  feedCursor: headers.get("feed-cursor"),
});
const nothing = { lastEvent: null, feedCursor: null };

test("a write names its last event, and the cursor after it", async () => {
  const { workspace, list, card, since } = await scene();
  const { rest } = workspace.admin;
  const one = published(await rest.post("/lists/" + list + "/sort", { by: "title" }));
  expect(one).toEqual(nothing);
  const both = published(await rest.put(`/cards/${card}`, { title: "New", isComplete: true }));
  const items = await since();
  expect(items.map(({ type }) => type)).toEqual(["card.updated", "card.completed"]);
  expect(both.lastEvent).toBe(items[1].id);
  await rest.put(`/cards/${card}`, { title: "Newer" });
  const later = await since(workspace.admin, both.feedCursor ?? "");
  expect(later.map(({ data }) => data.card.title)).toEqual(["Newer"]);
});

test("a write names the last event that is not for some members alone", async () => {
  const { workspace, board, since } = await scene();
  const member = await join(app(), workspace, "member");
  const path = `/boards/${board.publicId}`;
  const reply = await workspace.admin.rest.put(path, { visibility: "restricted" });
  const { lastEvent, feedCursor } = published(reply);
  expect((await since()).at(-1)).toMatchObject({ id: lastEvent, type: "board.updated" });
  expect(await since(workspace.admin, feedCursor ?? "")).toEqual([]);
  const after = await since(member, feedCursor ?? "");
  expect(after.map(({ type }) => type)).toEqual(["access.lost"]);
});

test("a change of the caller's account names an event of each number of workspaces", async () => {
  const workspace = await makeWorkspace(app());
  const { rest } = workspace.admin;
  const rename = async (name: string) => published(await rest.put("/users/me", { name }));
  const { items, cursor } = await follow(workspace.admin, workspace.publicId);
  const one = await rename("One");
  const [event] = (await follow(workspace.admin, workspace.publicId, { cursor })).items;
  expect(items.map(({ id }) => id)).not.toContain(one.lastEvent);
  expect(event).toMatchObject({ id: one.lastEvent, type: "member.updated" });
  const other = await makeWorkspace(app(), workspace.admin);
  const both = await rename("Two");
  const logs = [workspace, other].map(({ publicId }) => follow(workspace.admin, publicId));
  const last = (await Promise.all(logs)).map((log) => log.items.at(-1).id);
  expect(last).toContain(both.lastEvent);
});

test("a write that changes nothing or fails, and a read, name no event", async () => {
  const { workspace, card } = await scene();
  const { rest } = workspace.admin;
  const replies = [
    await rest.put(`/cards/${card}`, {}),
    await rest.put(`/cards/${card}`, { title: "" }),
    await rest.get(`/cards/${card}`),
  ];
  expect(replies.map(published)).toEqual([nothing, nothing, nothing]);
});

test("a replayed response names the event of the first one", async () => {
  const { workspace, list, since } = await scene();
  const { rest } = workspace.admin;
  const headers = { "Idempotency-Key": "create once" };
  const create = () => rest.post("/cards", { title: "Card", listPublicId: list }, { headers });
  const [first, second] = [published(await create()), published(await create())];
  expect(second).toEqual(first);
  const target = (await rest.post(`/boards/${(await makeBoard(workspace)).publicId}/move`, {
    workspacePublicId: (await makeWorkspace(app(), workspace.admin)).publicId,
  })) as { headers: Headers };
  const items = await since();
  expect(items[0].id).toBe(first.lastEvent);
  expect(items.map(({ id }) => id)).toContain(published(target).lastEvent);
});

test("over tRPC a single call names its event, and a batch names no event", async () => {
  const { workspace, card, since } = await scene();
  const seen: Headers[] = [];
  const options = {
    url: "http://service/trpc",
    headers: { Authorization: `Bearer ${workspace.admin.token}`, "Idempotency-Key": "over tRPC" },
    fetch: async (input: unknown, init: unknown) => {
      const { signal: _, ...rest } = (init ?? {}) as RequestInit;
      const response = await app().fetch(new Request(input as string, rest));
      seen.push(response.headers);
      return response;
    },
  };
  const single = createTRPCClient<AppRouter>({ links: [httpLink(options)] });
  await single.card.update.mutate({ cardPublicId: card, title: "One" });
  const [item] = await since();
  expect(published({ headers: seen[0] ?? new Headers() }).lastEvent).toBe(item.id);
  expect(item.mutationId).toBe("over tRPC");
  const batched = createTRPCClient<AppRouter>({ links: [httpBatchLink(options)] });
  await Promise.all([
    batched.card.update.mutate({ cardPublicId: card, title: "Two" }),
    batched.workspace.list.query(),
    batched.card.update.mutate({ cardPublicId: card, isComplete: true }),
  ]);
  expect(seen.slice(1).map((headers) => published({ headers }))).toContainEqual(nothing);
});

test("only the caller of a write sees its mutationId, in feed and stream", async () => {
  const { workspace, list, cursor, since } = await scene();
  const { admin } = workspace;
  const member = await join(app(), workspace, "member");
  const { body: key } = await admin.rest.post("/auth/api-keys", {
    name: "Key",
    workspacePublicId: workspace.publicId,
  });
  const path = `/workspaces/${workspace.publicId}/events/stream`;
  const streams = await Promise.all(
    [admin.token, member.token, key.key].map((token) => openStream(app(), path, { token })),
  );
  for (const stream of streams) expect((await stream.next())?.event).toBe("ready");
  const create = (token: string, mutation: string) =>
    app().call({
      method: "POST",
      path: "/cards",
      token,
      body: { title: mutation, listPublicId: list },
      headers: { "Idempotency-Key": mutation },
    });
  await create(admin.token, "of admin");
  await create(member.token, "of member");
  await create(key.key, "of key");
  const received = await Promise.all(streams.map((stream) => stream.take(3)));
  const ids = (events: { mutationId?: string }[]) => events.map(({ mutationId }) => mutationId);
  expect(received.map((events) => ids(events.map(({ data }) => data)))).toEqual([
    ["of admin", undefined, undefined],
    [undefined, "of member", undefined],
    [undefined, undefined, "of key"],
  ]);
  expect(ids((await since(admin)).slice(-3))).toEqual(["of admin", undefined, undefined]);
  expect(ids((await since(member)).slice(-3))).toEqual([undefined, "of member", undefined]);
  const again = await openStream(app(), `${path}?cursor=${cursor}`, { token: member.token });
  expect(ids((await again.take(5)).map(({ data }) => data)).slice(-3)).toEqual(
    ids((await since(member)).slice(-3)),
  );
  for (const stream of [...streams, again]) await stream.close();
});
