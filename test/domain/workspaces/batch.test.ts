import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { publicId } from "../../../src/platform/db/public-id.ts";
import { useApp } from "../../support/app.ts";
import { transactionsOf } from "../../support/rows.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp();

const start = async () => {
  const workspace = await makeWorkspace(app());
  const board = await makeBoard(workspace, { labels: 1 });
  const { rest } = workspace.admin;
  const path = `/workspaces/${workspace.publicId}/batch`;
  const events = () =>
    findEvents(app(), {
      where: { boardPublicId: board.publicId },
      orderBy: { id: "asc" },
    });
  const run = (operations: object[], more: object = {}, headers: Record<string, string> = {}) =>
    rest.post(path, { operations, ...more }, { headers });
  return { workspace, board, rest, path, events, run };
};

test("later operations name what earlier ones created, and the events are contiguous", async () => {
  const { board, rest, run, events } = await start();
  const [list, card, item] = [publicId(), publicId(), publicId()];
  const [labelPublicId] = board.labels;
  const before = (await events()).length;
  const checklist = publicId();
  const key = randomUUID();
  const operations = [
    {
      operation: "list.create",
      input: { publicId: list, name: "L", boardPublicId: board.publicId },
    },
    { operation: "card.create", input: { publicId: card, title: "C", listPublicId: list } },
    { operation: "card.addLabel", input: { cardPublicId: card, labelPublicId } },
    {
      operation: "checklist.create",
      input: { publicId: checklist, name: "Steps", cardPublicId: card },
    },
    {
      operation: "checklist.addItem",
      input: { publicId: item, title: "One", checklistPublicId: checklist },
    },
    { operation: "card.update", input: { cardPublicId: card, isComplete: true }, ifVersion: 4 },
  ];
  const { status, body, headers } = await run(operations, {}, { "Idempotency-Key": key });
  expect({ status, body }).toMatchObject({ status: 200, body: { dryRun: false } });
  expect(body.results.map((one: { operation: string }) => one.operation)).toEqual(
    operations.map(({ operation }) => operation),
  );
  expect(body.results[5].version).toBe(5);
  const read = (await rest.get(`/cards/${card}`)).body;
  expect(read).toMatchObject({ isComplete: true, version: 5, listPublicId: list });
  const written = (await events()).slice(before);
  expect(written.map(({ type }) => type)).toEqual([
    "list.created",
    "card.created",
    "card.label_added",
    "checklist.created",
    "checklist_item.created",
    "card.completed",
  ]);
  expect(await transactionsOf(app(), written)).toHaveLength(1);
  expect(new Set(written.map(({ mutationId }) => mutationId))).toEqual(new Set([key]));
  expect(headers.get("last-event")).toBe(written.at(-1)?.publicId);
  const again = await run(operations, {}, { "Idempotency-Key": key });
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect(again.body).toEqual(body);
});

test("the first failure undoes all, and its index is in the answer", async () => {
  const { board, rest, run, events } = await start();
  const [listPublicId = ""] = board.lists;
  const before = (await events()).length;
  const card = publicId();
  const create = { operation: "card.create", input: { publicId: card, title: "C", listPublicId } };
  const cases = [
    [{ operation: "card.update", input: { cardPublicId: "nowhere00000" } }, 404],
    [{ operation: "card.update", input: { cardPublicId: card, title: "" } }, 400],
    [{ operation: "card.update", input: { cardPublicId: card, title: "X" }, ifVersion: 7 }, 412],
    [{ operation: "card.get", input: { cardPublicId: card } }, 400],
    [{ operation: "member.invite", input: { email: "a@example.com" } }, 400],
  ] as const;
  for (const [failing, status] of cases) {
    const response = await run([create, failing, { operation: "none", input: {} }]);
    expect(response, JSON.stringify(failing)).toMatchObject({ status, body: { failedAt: 1 } });
    expect((await rest.get(`/cards/${card}`)).status).toBe(404);
  }
  expect(await events()).toHaveLength(before);
  expect((await run([create])).status).toBe(200);
});

test("a dry run answers the results and changes nothing", async () => {
  const { board, rest, run, events } = await start();
  const card = publicId();
  const before = (await events()).length;
  const operations = [
    {
      operation: "card.create",
      input: { publicId: card, title: "C", listPublicId: board.lists[0] },
    },
    { operation: "card.update", input: { cardPublicId: card, title: "D" } },
  ];
  const dry = await run(operations, { dryRun: true });
  expect(dry).toMatchObject({ status: 200, body: { dryRun: true, results: [{}, { version: 2 }] } });
  expect(dry.headers.get("last-event")).toBeNull();
  expect((await rest.get(`/cards/${card}`)).status).toBe(404);
  expect(await events()).toHaveLength(before);
  const failing = [...operations, { operation: "card.delete", input: { cardPublicId: "x" } }];
  const failed = await run(failing, { dryRun: true });
  expect(failed).toMatchObject({ status: 400, body: { failedAt: 2 } });
  expect((await run(operations)).status).toBe(200);
});

test("a batch stays in its workspace", async () => {
  const { workspace, run } = await start();
  const other = await makeWorkspace(app(), workspace.admin);
  const card = await makeCard(workspace.admin, (await makeBoard(other)).lists[0] ?? "");
  const operations = [{ operation: "card.update", input: { cardPublicId: card, title: "X" } }];
  expect(await run(operations)).toMatchObject({ status: 400, body: { failedAt: 0 } });
  const read = await workspace.admin.rest.get(`/cards/${card}`);
  expect(read.body.title).not.toBe("X");
});

test("at most 100 operations; a stranger is refused, and a read-only key", async () => {
  const { workspace, path, run } = await start();
  expect(
    (await run(Array.from({ length: 101 }, () => ({ operation: "card.update", input: {} }))))
      .status,
  ).toBe(400);
  const stranger = await join(app(), await makeWorkspace(app()), "admin");
  expect((await stranger.rest.post(path, { operations: [] })).status).toBe(403);
  const { body: key } = await workspace.admin.rest.post("/auth/api-keys", {
    name: "Reader",
    workspacePublicId: workspace.publicId,
    readOnly: true,
  });
  const reply = await app().call({
    method: "POST",
    path,
    token: key.key,
    body: { operations: [] },
  });
  expect(reply.status).toBe(403);
});

test("the operations are typed over tRPC", async () => {
  const { workspace, board } = await start();
  const listPublicId = board.lists[0] ?? "";
  const { results } = await workspace.admin.trpc.workspace.batch.mutate({
    workspacePublicId: workspace.publicId,
    operations: [{ operation: "list.update", input: { listPublicId, name: "New" } }],
  });
  expect(results).toMatchObject([{ operation: "list.update", version: 2 }]);
  const read = workspace.admin.trpc.workspace.batch.mutate({
    workspacePublicId: workspace.publicId,
    // @ts-expect-error A read cannot be in a batch.
    operations: [{ operation: "list.get", input: { listPublicId } }],
  });
  await expect(read).rejects.toMatchObject({ data: { httpStatus: 400, failedAt: 0 } });
});
