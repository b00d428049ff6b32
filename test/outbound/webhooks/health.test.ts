import { expect, test } from "vitest";
import { eventsIn } from "../../kernel/access/membership.ts";
import { runDue } from "../../support/jobs.ts";
import { deliverDue } from "../../support/deliveries.ts";
import { useApp } from "../../support/app.ts";
import { join } from "../../support/make.ts";
import { hooked, hookOf, local, sentTo } from "./hook.ts";

const app = useApp({ env: local });
const hour = 3_600_000;

test("410 disables the webhook, ends its pending deliveries, and notifies admins and other webhooks", async () => {
  const { workspace, admin, hook, add, list, health, read } = await hooked(app());
  const member = await join(app(), workspace, "member");
  const second = await join(app(), workspace, "admin");
  const other = await hookOf(app(), workspace, { events: ["webhook.*"] });
  hook.receiver.response((_, count) => ({ status: count === 0 ? 500 : 410 }));
  await add("Waits");
  await deliverDue(app().deps);
  await add("Gone");
  const sent = await sentTo(app(), other.receiver);
  const { rest } = admin;
  expect((await rest.get(hook.path)).body.active).toBe(false);
  expect(sent.map(({ body }) => body)).toMatchObject([
    {
      type: "webhook.disabled",
      data: {
        webhook: { publicId: hook.publicId, active: false },
        reason: "gone",
        actor: { type: "system", publicId: null },
        changes: { active: { from: true, to: false } },
      },
    },
  ]);
  expect(JSON.stringify(sent)).not.toContain(hook.receiver.url);
  const [gone, waited] = await list();
  expect(gone).toMatchObject({ status: "failed", statusCode: 410, attemptCount: 1 });
  expect(waited).toMatchObject({
    status: "failed",
    attemptCount: 1,
    error: "The webhook is inactive.",
    nextAttemptAt: null,
  });
  expect((await read(waited.publicId)).attempts).toHaveLength(1);
  expect((await health()).pendingCount).toBe(0);

  for (const [user, count] of [
    [workspace.admin, 1],
    [second, 1],
    [member, 0],
  ] as const) {
    const { body } = await user.rest.get("/users/me/notifications");
    expect(body.items.filter(({ type }: any) => type === "webhook_disabled")).toMatchObject(
      Array.from({ length: count }, () => ({
        event: "webhook.disabled",
        webhook: { publicId: hook.publicId, name: "Hook" },
      })),
    );
  }
  await add("Not sent");
  app().advance(48 * hour);
  expect(await sentTo(app(), hook.receiver)).toEqual([]);
});

test("five days of failures without a success disable a webhook", async () => {
  const { workspace, admin, hook, add, list, health } = await hooked(app());
  hook.receiver.response({ status: 500 });
  await add();
  await deliverDue(app().deps);
  const since = app().deps.clock().toISOString();
  expect(await health()).toMatchObject({
    active: true,
    failingSince: since,
    lastFailureAt: since,
    lastSuccessAt: null,
  });
  app().advance(100 * hour);
  hook.receiver.response({});
  await deliverDue(app().deps);
  expect(await health()).toMatchObject({
    failingSince: null,
    lastSuccessAt: app().deps.clock().toISOString(),
  });

  hook.receiver.response({ status: 500 });
  await add();
  await deliverDue(app().deps);
  app().advance(119 * hour);
  await add();
  await deliverDue(app().deps);
  expect((await health()).active).toBe(true);
  app().advance(hour);
  await add();
  await deliverDue(app().deps);
  expect(await health()).toMatchObject({ active: false, pendingCount: 0 });
  const errors = (await list("?status=failed")).map(({ error }: any) => error);
  expect(new Set(errors)).toEqual(new Set(["The webhook is inactive."]));
  const [event] = await eventsIn(app(), workspace.publicId, "webhook.disabled");
  expect(event).toMatchObject({
    actorType: "system",
    data: { reason: "failing" },
    ip: null,
    requestId: null,
  });

  const { status } = await admin.rest.put(hook.path, { active: true });
  expect([status, await health()]).toMatchObject([200, { active: true, failingSince: null }]);
  await add();
  await deliverDue(app().deps);
  expect((await health()).active).toBe(true);
});

test("admins are notified by mail, unless they have switched that off", async () => {
  const { workspace, hook, add } = await hooked(app());
  const second = await join(app(), workspace, "admin");
  await second.rest.put("/users/me/preferences", {
    notifications: { webhook_disabled: { app: false, mail: false } },
  });
  hook.receiver.response({ status: 410 });
  await add();
  await deliverDue(app().deps);
  app().advance(hour);
  await runDue(app().deps);
  const mailed = await app().db.reader.notification.findMany({
    where: { type: "webhook_disabled", workspace: { publicId: workspace.publicId } },
  });
  expect(mailed).toMatchObject([{ byMail: true, mailedAt: app().deps.clock() }]);
});

test.each([
  ["deleted", "The webhook was deleted."],
  ["inactive", "The webhook is inactive."],
])("when a webhook is %s, its pending deliveries end unsent", async (how, error) => {
  const { workspace, admin, hook, add } = await hooked(app());
  hook.receiver.response({ status: 500 });
  await add();
  await deliverDue(app().deps);
  await add();
  if (how === "deleted") await admin.rest.delete(hook.path);
  else await admin.rest.put(hook.path, { active: false });
  app().advance(hour);
  expect(await sentTo(app(), hook.receiver)).toEqual([]);
  const deliveries = await app().db.reader.delivery.findMany({
    where: { workspace: { publicId: workspace.publicId } },
  });
  const now = app().deps.clock();
  expect(deliveries).toMatchObject(
    [1, 2].map(() => ({ status: "failed", error, nextAttemptAt: null, finishedAt: now })),
  );
});

test("deliveries of a deleted workspace, with the deletion, are attempted once more and then end", async () => {
  const { workspace, admin, hook, add } = await hooked(app(), { events: ["*"] });
  hook.receiver.response({ status: 500 });
  await add();
  await deliverDue(app().deps);
  await admin.rest.delete(`/workspaces/${workspace.publicId}`);
  const deletion = await sentTo(app(), hook.receiver);
  expect(deletion.map(({ body }) => body.type)).toEqual(["workspace.deleted"]);
  app().advance(hour);
  const last = await sentTo(app(), hook.receiver);
  expect(last.map(({ body }) => body.type)).toEqual(["card.created"]);
  app().advance(hour);
  expect(await sentTo(app(), hook.receiver)).toEqual([]);
  const left = await app().db.reader.delivery.findMany({
    where: { workspace: { publicId: workspace.publicId }, status: "pending" },
  });
  expect(left).toEqual([]);
});
