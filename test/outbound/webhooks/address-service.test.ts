import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { systemResolve } from "../../../src/platform/http/address-guard.ts";
import { deliverDue } from "../../support/deliveries.ts";
import { startApp, useApp } from "../../support/app.ts";
import { fakeDns } from "../../support/dns.ts";
import { setWebhookUrl } from "../../support/faults.ts";
import { makeBoard, makeWorkspace } from "../../support/make.ts";
import { hooked, local } from "./hook.ts";
import { hostileResponses, hostileLiterals, hostileNames, publicV4, useCanary } from "./hostile.ts";

const canary = useCanary();
const named = new Map(hostileResponses.map(([, addresses], n) => [`hooks-${n}.test`, addresses]));
const dns = fakeDns({
  ...Object.fromEntries(named),
  "hooks.test.": ["127.0.0.1"],
  "public.test": [publicV4],
});
const app = useApp({
  outgoing: {
    policy: { allowHttp: true, allowedSubnets: [] },
    resolve: (name) => (name.includes(".test") ? dns.resolve(name) : systemResolve(name)),
    now: () => new Date(),
    version: "1.2.3",
  },
});

const hosts = [...hostileLiterals, ...named.keys(), ...hostileNames, "hooks.test."];
const schemes = [
  "file:///etc/passwd",
  "gopher://127.0.0.1/",
  "ftp://127.0.0.1/",
  "data:,x",
  "javascript:1",
  "ws://127.0.0.1/",
  "//127.0.0.1/",
  "127.0.0.1",
];
const withUser = (port: number) => [
  `http://public.test@127.0.0.1:${port}/`,
  `http://user:password@public.test:${port}/`,
  `http://public.test:pass@[::1]:${port}/`,
];
const hostile = () => [
  ...hosts.map((host) => `http://${host}:${canary.port()}/`),
  ...schemes,
  ...withUser(canary.port()),
];

let scene: {
  root: string;
  id: string;
  path: string;
  rest: Awaited<ReturnType<typeof makeWorkspace>>["admin"]["rest"];
  list: string;
};
beforeAll(async () => {
  const workspace = await makeWorkspace(app());
  const { lists } = await makeBoard(workspace);
  const { rest } = workspace.admin;
  const root = `/workspaces/${workspace.publicId}/webhooks`;
  const { body } = await rest.post(root, {
    name: "Public",
    url: "https://public.test/",
    events: ["list.*"],
  });
  const id = body.publicId;
  scene = { root, id, path: `${root}/${id}`, rest, list: lists[0] ?? "" };
});

describe(`each of ${hosts.length + schemes.length + 3} hostile addresses is refused`, () => {
  test("when a webhook is created", async () => {
    for (const url of hostile()) {
      const { status, body } = await scene.rest.post(scene.root, {
        name: "Bad",
        url,
        events: ["*"],
      });
      expect({ url, status, path: body.issues?.[0]?.path }).toEqual({
        url,
        status: 400,
        path: ["url"],
      });
    }
    expect((await scene.rest.get(scene.root)).body).toHaveLength(1);
    expect(canary.connections()).toBe(0);
  });

  test("when its address is changed", async () => {
    for (const url of hostile()) {
      const { status, body } = await scene.rest.put(scene.path, { url });
      expect({ url, status, path: body.issues?.[0]?.path }).toEqual({
        url,
        status: 400,
        path: ["url"],
      });
    }
    expect((await scene.rest.get(scene.path)).body.url).toBe("https://public.test/");
    expect(canary.connections()).toBe(0);
  });

  test("when it is tested", async () => {
    for (const url of hostile()) {
      await setWebhookUrl(app(), scene.id, url);
      const { status, body } = await scene.rest.post(`${scene.path}/test`);
      const error = expect.stringMatching(/^The (host|URL) .+\.$/);
      expect({ url, status, body }).toEqual({ url, status: 200, body: { success: false, error } });
    }
    expect(canary.connections()).toBe(0);
  });

  test("when something is delivered", async () => {
    const urls = hostile();
    for (const url of urls) {
      const hook = { name: "Hostile", url: "https://public.test/", events: ["card.created"] };
      const { body } = await scene.rest.post(scene.root, hook);
      await setWebhookUrl(app(), body.publicId, url);
    }
    await scene.rest.post("/cards", { title: "Card", listPublicId: scene.list });
    expect(await deliverDue(app().deps)).toBe(urls.length);
    const deliveries = await app().db.reader.delivery.findMany({ where: { type: "card.created" } });
    expect(deliveries).toHaveLength(urls.length);
    for (const { status, statusCode, error, attemptCount } of deliveries) {
      expect({ status, statusCode, attemptCount }).toEqual({
        status: "pending",
        statusCode: null,
        attemptCount: 1,
      });
      expect(error).toMatch(/^The (host|URL) .+\.$/);
    }
    expect(canary.connections()).toBe(0);
  });
});

test("a redirect to a private address is not followed by a delivery", async () => {
  const open = await startApp({ env: local });
  onTestFinished(() => open.close());
  const { hook, add, list } = await hooked(open);
  hook.receiver.response({
    status: 307,
    headers: { location: `http://127.0.0.1:${canary.port()}/` },
  });
  await add();
  await deliverDue(open.deps);
  expect(await list()).toMatchObject([{ status: "pending", statusCode: 307 }]);
  expect(canary.connections()).toBe(0);
});
