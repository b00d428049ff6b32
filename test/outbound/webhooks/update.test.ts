import { expect, test } from "vitest";
import { deliverDue } from "../../support/deliveries.ts";
import { useApp } from "../../support/app.ts";
import { join, makeBoard, makeCard, makeWorkspace } from "../../support/make.ts";

const app = useApp({
  env: { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" },
});

async function hooked() {
  const workspace = await makeWorkspace(app());
  const root = `/workspaces/${workspace.publicId}/webhooks`;
  const { body } = await workspace.admin.rest.post(root, {
    name: "Ours",
    url: "http://127.0.0.1:9/hook",
    events: ["card.*"],
  });
  const { secret, ...webhook } = body;
  return {
    workspace,
    admin: workspace.admin,
    root,
    path: `${root}/${webhook.publicId}`,
    webhook,
    secret,
  };
}

test("webhook.get shows a webhook with its health, never its secret", async () => {
  const { admin, path, webhook, secret } = await hooked();
  const { body, headers } = await admin.rest.get(path);
  expect(body).toEqual({
    ...webhook,
    lastSuccessAt: null,
    lastFailureAt: null,
    failingSince: null,
    pendingCount: 0,
  });
  expect(headers.get("etag")).toMatch(/^"1-/);
  expect(JSON.stringify(body)).not.toContain(secret);
  await admin.rest.delete(path);
  expect((await admin.rest.get(path)).status).toBe(404);
});

test("webhook.update stores the URL without spaces around it", async () => {
  const { admin, path } = await hooked();
  const { body } = await admin.rest.put(path, { url: " http://127.0.0.1:9/other\n" });
  expect(body.url).toBe("http://127.0.0.1:9/other");
});

test("webhook.update changes the given fields, and nothing when they are equal", async () => {
  const { workspace, admin, path, webhook } = await hooked();
  const { publicId: boardPublicId } = await makeBoard(workspace);
  const change = { name: "Theirs", events: ["*"], boardPublicId, active: false };
  const { status, body, headers } = await admin.rest.put(path, change);
  expect({ status, body }).toMatchObject({ status: 200, body: { ...change, version: 2 } });
  expect(headers.get("etag")).toBe('"2"');
  expect((await admin.rest.put(path, change)).body).toEqual(body);
  const ids = { workspacePublicId: workspace.publicId, webhookPublicId: webhook.publicId };
  const cleared = await admin.trpc.webhook.update.mutate({ ...ids, boardPublicId: null });
  expect(cleared).toMatchObject({ name: "Theirs", boardPublicId: null, version: 3 });
  const stale = await admin.rest.put(path, { name: "X" }, { headers: { "If-Match": '"1"' } });
  expect(stale.status).toBe(412);
});

test("duplicate patterns are stored once, in create and update", async () => {
  const { admin, root, path } = await hooked();
  const events = ["card.*", "list.created", "card.*"];
  const made = await admin.rest.post(root, { name: "Two", url: "http://127.0.0.1:9/", events });
  const changed = await admin.rest.put(path, { events });
  for (const { body } of [made, changed]) expect(body.events).toEqual(["card.*", "list.created"]);
  const again = await admin.rest.put(path, { events });
  expect(again.body).toEqual(changed.body);
});

test("activating a webhook resets `failingSince`", async () => {
  const { workspace, admin, path } = await hooked();
  await makeCard(admin, (await makeBoard(workspace)).lists[0] ?? "");
  // No server listens on the port of the webhook.
  await deliverDue(app().deps);
  await admin.rest.put(path, { active: false });
  const failingSince = app().deps.clock().toISOString();
  expect((await admin.rest.get(path)).body).toMatchObject({ active: false, failingSince });
  await admin.rest.put(path, { active: true });
  expect((await admin.rest.get(path)).body).toMatchObject({ active: true, failingSince: null });
});

test("webhook.update refuses private receivers, boards and webhooks of other workspaces, and members", async () => {
  const { workspace, admin, path, webhook } = await hooked();
  const other = await hooked();
  const foreign = await makeBoard(other.workspace);
  const put = async (body: object, at = path) => (await admin.rest.put(at, body)).status;
  expect(await put({ url: "http://10.0.0.1/" })).toBe(400);
  expect(await put({ url: "ftp://127.0.0.1/" })).toBe(400);
  expect(await put({ events: [] })).toBe(400);
  expect(await put({ events: ["no.such"] })).toBe(400);
  expect(await put({ boardPublicId: foreign.publicId })).toBe(404);
  const crossed = `/workspaces/${workspace.publicId}/webhooks/${other.webhook.publicId}`;
  expect(await put({ name: "X" }, crossed)).toBe(404);
  expect((await admin.rest.get(crossed)).status).toBe(404);
  const member = await join(app(), workspace, "member");
  expect((await member.rest.get(path)).status).toBe(403);
  expect((await member.rest.put(path, { name: "X" })).status).toBe(403);
  expect((await admin.rest.get(path)).body).toMatchObject({ url: webhook.url, version: 1 });
});
