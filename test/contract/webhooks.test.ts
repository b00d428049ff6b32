import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startApp, useApp, type App } from "../support/app.ts";
import { makeWorkspace } from "../support/make.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { expectFailure, expectFaults } from "./failure.ts";
import { makeWorld, unknownId, type World } from "./world.ts";
import { setWebhookUrl } from "../support/faults.ts";

const local = { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8" };
const app = useApp({ env: local });
let world: World;
let receiver: Receiver;
let webhook: string;
let root: string;
beforeAll(async () => {
  world = await makeWorld(app());
  root = `/workspaces/${world.workspace.publicId}/webhooks`;
});
beforeEach(async () => {
  receiver = await startReceiver({ now: app().deps.clock });
  webhook = await add(receiver.url);
  return () => receiver.close();
});

const add = async (url: string) => {
  const { body } = await world.admin.rest.post(root, { name: "Ours", url, events: ["card.*"] });
  receiver.trust(body.secret);
  return body.publicId;
};
const send = (id = webhook, body?: unknown) => world.admin.rest.post(`${root}/${id}/test`, body);
const sentence = expect.stringMatching(/^[A-Z].+\.$/);

describe("POST …/webhooks/{webhookPublicId}/test", () => {
  test("sends an event signed with the webhook's secret and reports success", async () => {
    const { status, body } = await send();
    expect({ status, body }).toEqual({ status: 200, body: { success: true, statusCode: 200 } });
    const { id, headers, body: sent } = await receiver.next();
    expect(id).toMatch(/\S/);
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expect(JSON.parse(sent)).toEqual({
      type: "webhook.test",
      timestamp: app().deps.clock().toISOString(),
      data: {
        webhook: { publicId: webhook, name: "Ours" },
        workspace: { publicId: world.workspace.publicId, name: expect.any(String) },
      },
    });
    expect(receiver.deliveries).toHaveLength(1);
  });

  test("needs no body or content type, and accepts {}", async () => {
    const address = `http://service/api/v1${root}/${webhook}/test`;
    const Authorization = `Bearer ${world.admin.token}`;
    const json = { "Content-Type": "application/json" };
    for (const init of [
      { headers: { Authorization } },
      { headers: { Authorization, "Content-Length": "0" } },
      { headers: { Authorization, ...json } },
      { headers: { Authorization, ...json }, body: "{}" },
      { headers: { Authorization, "Content-Type": "text/plain" } },
    ]) {
      const reply = await app().fetch(new Request(address, { method: "POST", ...init }));
      expect(await reply.json()).toEqual({ success: true, statusCode: 200 });
    }
    expectFaults(await send(webhook, { url: receiver.url }), "url");
    expect(receiver.deliveries).toHaveLength(5);
  });

  test.each([200, 201, 202, 204, 299])("reports %i as success", async (statusCode) => {
    receiver.response({ status: statusCode });
    expect((await send()).body).toEqual({ success: true, statusCode });
  });

  test.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503, 599])(
    "reports %i as failure with an error, and responds 200",
    async (statusCode) => {
      receiver.response({ status: statusCode, headers: { location: receiver.url } });
      const { status, body } = await send();
      expect(status).toBe(200);
      expect(body).toEqual({ success: false, statusCode, error: sentence });
      expect(body.error).toContain(String(statusCode));
      expect(receiver.deliveries).toHaveLength(1);
    },
  );

  test("has no statusCode without a response", async () => {
    receiver.response({ how: "reset" });
    const { status, body } = await send();
    expect({ status, body }).toEqual({ status: 200, body: { success: false, error: sentence } });
    const refused = await startReceiver();
    const id = await add(refused.url);
    await refused.close();
    expect((await send(id)).body).toEqual({ success: false, error: sentence });
  });

  test("reports a failure when the response is cut off", async () => {
    receiver.response({ how: "cut" });
    expect((await send()).body).toEqual({ success: false, statusCode: 200, error: sentence });
  });

  test("works for an inactive webhook", async () => {
    const path = `/workspaces/${world.workspace.publicId}/webhooks/${webhook}`;
    expect((await world.admin.rest.put(path, { active: false })).status).toBe(200);
    expect((await send()).body).toEqual({ success: true, statusCode: 200 });
  });

  test("reveals neither the secret nor the receiver's response", async () => {
    receiver.response({ status: 500, body: "a secret of the inside" });
    const { body } = await send();
    expect(JSON.stringify(body)).not.toMatch(/whsec_|secret of the inside/);
  });

  test("sends nothing for a caller without permission or a webhook of another workspace", async () => {
    expectFailure(await world.guest.rest.post(`${root}/${webhook}/test`), "FORBIDDEN", [{}]);
    const other = await makeWorkspace(app(), world.admin);
    const path = `/workspaces/${other.publicId}/webhooks/${webhook}/test`;
    expectFailure(await world.admin.rest.post(path), "NOT_FOUND", [{}]);
    expect(receiver.deliveries).toEqual([]);
  });
});

describe("POST …/webhooks/{webhookPublicId}/test where private receivers are not allowed", () => {
  let strict: App;
  beforeAll(async () => {
    strict = await startApp();
    return async () => {
      await strict.close();
      if (strict.errors.length > 0) throw new Error(strict.errors.join("\n"));
    };
  });

  test("rejects a receiver that became private, without connecting", async () => {
    const { admin, publicId } = await makeWorkspace(strict);
    const where = `/workspaces/${publicId}/webhooks`;
    const { body: made } = await admin.rest.post(where, {
      name: "Public",
      url: "https://93.184.215.14/",
      events: ["*"],
    });
    for (const url of [
      receiver.url,
      receiver.url.replace("http:", "https:"),
      `https://[::ffff:127.0.0.1]:${receiver.port}/`,
      `https://2130706433:${receiver.port}/`,
      "https://169.254.169.254/latest/meta-data/",
    ]) {
      await setWebhookUrl(strict, made.publicId, url);
      const { status, body } = await admin.rest.post(`${where}/${made.publicId}/test`);
      expect({ status, body }).toEqual({ status: 200, body: { success: false, error: sentence } });
      const refused = { name: "Private", url, events: ["*"] };
      expectFaults(await admin.rest.post(where, refused), "url");
    }
    expect(receiver.connections()).toBe(0);
  });
});

describe("DELETE …/webhooks/{webhookPublicId}", () => {
  test("succeeds once and deletes the webhook", async () => {
    const { status, body } = await world.admin.rest.delete(`${root}/${webhook}`);
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    expectFailure(await world.admin.rest.delete(`${root}/${webhook}`), "NOT_FOUND", [{}]);
    expectFailure(await send(), "NOT_FOUND", [{}]);
    const { body: left } = await world.admin.rest.get(root);
    expect(left.map((each: { publicId: string }) => each.publicId)).not.toContain(webhook);
    expect(receiver.deliveries).toEqual([]);
  });

  test("is 404 with another workspace in the path, and deletes nothing", async () => {
    const other = await makeWorkspace(app(), world.admin);
    for (const path of [
      `/workspaces/${other.publicId}/webhooks/${webhook}`,
      `/workspaces/${unknownId}/webhooks/${webhook}`,
    ]) {
      expectFailure(await world.admin.rest.delete(path), "NOT_FOUND", [{}]);
    }
    expect((await send()).body.success).toBe(true);
  });
});
