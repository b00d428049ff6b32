import { expect, test } from "vitest";
import { deliverDue } from "../../support/deliveries.ts";
import { useApp } from "../../support/app.ts";
import { loseEvents } from "../../support/faults.ts";
import { makeBoard } from "../../support/make.ts";
import { insertEvents } from "../../support/rows.ts";
import { hooked, hookOf, local, sentTo } from "./hook.ts";

const app = useApp({ env: local });
const minutes = 240_000;
const now = () => app().deps.clock().toISOString();

const replayOf = async (scene: Awaited<ReturnType<typeof hooked>>, body: object) =>
  scene.admin.rest.post(`${scene.hook.path}/replay`, body);
const titles = (sent: Awaited<ReturnType<typeof sentTo>>) =>
  sent.map(({ body }) => body.data.card.title).toSorted();

test("webhook.redeliver sends an event again, with the same webhook-id and a new delivery", async () => {
  const { admin, hook, add, list } = await hooked(app());
  await add();
  const [first] = await sentTo(app(), hook.receiver);
  const [before] = await list();
  app().advance(minutes);
  const { status, body } = await admin.rest.post(
    `${hook.path}/deliveries/${before.publicId}/redeliver`,
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    type: "card.created",
    status: "pending",
    attemptCount: 0,
    eventPublicId: first?.id,
  });
  expect(body.publicId).not.toBe(before.publicId);
  const [again] = await sentTo(app(), hook.receiver);
  expect([again?.id, again?.body]).toEqual([first?.id, first?.body]);
  expect(await list()).toMatchObject([{ publicId: body.publicId, status: "succeeded" }, before]);
});

test("a pending delivery is attempted now instead of queued twice, on every call", async () => {
  const { workspace, hook, add, list } = await hooked(app());
  hook.receiver.response((_, count) => ({ status: count === 0 ? 500 : 200 }));
  await add();
  await deliverDue(app().deps);
  const [{ publicId }] = await list();
  const ids = { workspacePublicId: workspace.publicId, webhookPublicId: hook.publicId };
  for (let time = 0; time < 2; time++) {
    const again = await workspace.admin.trpc.webhook.redeliver.mutate({
      ...ids,
      deliveryPublicId: publicId,
    });
    expect(again).toMatchObject({ publicId, status: "pending", nextAttemptAt: now() });
  }
  expect(await sentTo(app(), hook.receiver)).toHaveLength(1);
  expect(await list()).toMatchObject([{ publicId, status: "succeeded", attemptCount: 2 }]);
});

test("webhook.replay sends the events of a range, also those from before the webhook", async () => {
  const scene = await hooked(app());
  const { workspace, admin, add } = scene;
  await add("Too early");
  app().advance(minutes);
  const since = now();
  await add("First");
  app().advance(minutes);
  await add("Second");
  app().advance(minutes);
  const until = now();
  await add("Too late");
  await sentTo(app(), scene.hook.receiver);
  const { status, body } = await replayOf(scene, { since, until });
  expect({ status, body }).toEqual({ status: 200, body: { queued: 2 } });
  expect(titles(await sentTo(app(), scene.hook.receiver))).toEqual(["First", "Second"]);

  const late = await hookOf(app(), workspace, { events: ["card.created"] });
  const ids = { workspacePublicId: workspace.publicId, webhookPublicId: late.publicId };
  const fresh = await admin.trpc.webhook.replay.mutate({ ...ids, since });
  expect(fresh).toEqual({ queued: 3 });
  expect(titles(await sentTo(app(), late.receiver))).toEqual(["First", "Second", "Too late"]);
});

test("a replay does not send imported history, nor read events from before the range", async () => {
  const scene = await hooked(app());
  const { workspace } = scene;
  const createdAt = app().deps.clock();
  const history = { type: "card.updated", createdAt, isImported: true };
  await insertEvents(app().db.write, workspace.publicId, 5, history);
  const since = now();
  await scene.add("Real");
  await deliverDue(app().deps);
  expect((await replayOf(scene, { since })).body).toEqual({ queued: 1 });
  expect(titles(await sentTo(app(), scene.hook.receiver))).toEqual(["Real"]);
});

test("a repeated replay does not queue pending events again", async () => {
  const scene = await hooked(app());
  const since = now();
  for (let n = 0; n < 5; n++) await scene.add();
  await deliverDue(app().deps);
  const twice = await Promise.all([
    replayOf(scene, { since }),
    replayOf(scene, { since }),
    replayOf(scene, { since }),
  ]);
  expect(twice.map(({ body }) => body.queued).toSorted()).toEqual([0, 0, 5]);
  expect(await sentTo(app(), scene.hook.receiver)).toHaveLength(5);
  expect((await replayOf(scene, { since })).body).toEqual({ queued: 5 });
});

test("onlyFailed sends events whose latest delivery failed", async () => {
  const scene = await hooked(app());
  const { admin, hook, add, list } = scene;
  const since = now();
  hook.receiver.response(({ body }) => ({ status: body.includes("Bad") ? 500 : 200 }));
  for (const title of ["Bad 1", "Good", "Bad 2"]) await add(title);
  await deliverDue(app().deps);
  await admin.rest.put(hook.path, { active: false });
  await deliverDue(app().deps);
  expect((await list("?status=failed")).length).toBe(2);
  await admin.rest.put(hook.path, { active: true });
  hook.receiver.response({});
  const failed = (await list("?status=failed")).at(-1);
  await admin.rest.post(`${hook.path}/deliveries/${failed.publicId}/redeliver`);
  expect(titles(await sentTo(app(), hook.receiver))).toEqual(["Bad 1"]);
  expect((await replayOf(scene, { since, onlyFailed: true })).body).toEqual({ queued: 1 });
  expect(titles(await sentTo(app(), hook.receiver))).toEqual(["Bad 2"]);
  expect((await replayOf(scene, { since, onlyFailed: true })).body).toEqual({ queued: 0 });
});

test("a replay uses the current patterns and board of the webhook, and its workspace", async () => {
  const scene = await hooked(app());
  const { workspace, admin, hook, board, add } = scene;
  const since = now();
  const other = await makeBoard(workspace);
  await add("Here", other.lists[0]);
  await add("There");
  await (await hooked(app())).add("Elsewhere");
  await deliverDue(app().deps);
  await admin.rest.put(hook.path, { boardPublicId: board.publicId });
  expect((await replayOf(scene, { since })).body).toEqual({ queued: 1 });
  expect(titles(await sentTo(app(), hook.receiver))).toEqual(["There"]);
  await admin.rest.put(hook.path, { events: ["list.*"] });
  expect((await replayOf(scene, { since })).body).toEqual({ queued: 0 });
});

test("an invalid range, too many events, an inactive webhook and a deleted event have their errors", async () => {
  const scene = await hooked(app());
  const { workspace, admin, hook, add, list } = scene;
  const since = now();
  for (const body of [
    {},
    { since: "yesterday" },
    { since, until: since },
    { since, onlyFailed: "yes" },
    { since, more: 1 },
  ]) {
    expect((await replayOf(scene, body)).status).toBe(400);
  }
  await add();
  const [{ publicId }] = await list();
  await deliverDue(app().deps);
  const updated = { type: "card.updated", createdAt: app().deps.clock() };
  await insertEvents(app().db.write, workspace.publicId, 10_000, updated);
  const many = await replayOf(scene, { since });
  expect([many.status, many.body.issues[0].message]).toEqual([
    409,
    expect.stringContaining("10000"),
  ]);
  await loseEvents(app(), workspace.publicId);
  const path = `${hook.path}/deliveries/${publicId}/redeliver`;
  expect((await admin.rest.post(path)).status).toBe(409);
  await admin.rest.put(hook.path, { active: false });
  expect((await admin.rest.post(path)).body.issues[0].message).toContain("not active");
  expect((await replayOf(scene, { since })).status).toBe(409);
});
