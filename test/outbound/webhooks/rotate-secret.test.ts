import { expect, test } from "vitest";
import { useApp } from "../../support/app.ts";
import { hooked, local, sentTo } from "./hook.ts";

const app = useApp({ env: local });
const hour = 3_600_000;

test("both secrets sign until the old one expires, then the new one alone", async () => {
  const { workspace, hook, add } = await hooked(app());
  const { status, body, headers } = await workspace.admin.rest.post(`${hook.path}/rotate-secret`);
  const expires = new Date(app().deps.clock().getTime() + 24 * hour).toISOString();
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      version: 2,
      secret: expect.stringMatching(/^whsec_/),
      previousSecretExpiresAt: expires,
    },
  });
  expect(headers.get("etag")).toBe('"2"');
  hook.receiver.trust(body.secret);
  await add();
  const [during] = await sentTo(app(), hook.receiver);
  expect(during?.verifiedBy).toEqual([hook.secret, body.secret]);
  expect(during?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
  app().advance(24 * hour);
  await add();
  const [after] = await sentTo(app(), hook.receiver);
  expect(after?.verifiedBy).toEqual([body.secret]);
  expect(after?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
});

test("a queued delivery is signed with the secrets that are valid when it is sent", async () => {
  const { workspace, hook, add } = await hooked(app());
  await add();
  const { body } = await workspace.admin.rest.post(`${hook.path}/rotate-secret`, {
    overlapHours: 0,
  });
  hook.receiver.trust(body.secret);
  const [sent] = await sentTo(app(), hook.receiver);
  expect(sent?.verifiedBy).toEqual([body.secret]);
  expect(body.previousSecretExpiresAt).toBe(app().deps.clock().toISOString());
});

test("a second rotation ends the oldest secret", async () => {
  const { workspace, hook, add } = await hooked(app());
  const rotate = async () => {
    const ids = { workspacePublicId: workspace.publicId, webhookPublicId: hook.publicId };
    const { secret } = await workspace.admin.trpc.webhook.rotateSecret.mutate({
      ...ids,
      overlapHours: 72,
    });
    hook.receiver.trust(secret);
    return secret;
  };
  const [second, third] = [await rotate(), await rotate()];
  await add();
  const [sent] = await sentTo(app(), hook.receiver);
  expect(sent?.verifiedBy).toEqual([second, third]);
});

test("webhook.test signs with both secrets", async () => {
  const { workspace, hook } = await hooked(app());
  const { body } = await workspace.admin.rest.post(`${hook.path}/rotate-secret`);
  hook.receiver.trust(body.secret);
  await workspace.admin.rest.post(`${hook.path}/test`);
  expect((await hook.receiver.next()).verifiedBy).toEqual([hook.secret, body.secret]);
});

test("overlapHours is an integer from 0 to 72", async () => {
  const { workspace, hook } = await hooked(app());
  for (const overlapHours of [-1, 73, 1.5, "24", null]) {
    const { status } = await workspace.admin.rest.post(`${hook.path}/rotate-secret`, {
      overlapHours,
    });
    expect({ overlapHours, status }).toEqual({ overlapHours, status: 400 });
  }
});
