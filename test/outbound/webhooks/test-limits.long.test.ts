import { expect, onTestFinished, test } from "vitest";
import { gate } from "../../support/gate.ts";
import { startApp } from "../../support/app.ts";
import { makeWorkspace } from "../../support/make.ts";
import { hookOf, local, receiverFor } from "./hook.ts";

test("a test event to a host at its limit is 429 with Retry-After", async () => {
  const app = await startApp({ env: local, constants: { WEBHOOK_HOST_CONCURRENCY: 4 } });
  onTestFinished(() => app.close());
  const receiver = await receiverFor(app);
  const response = gate();
  receiver.response((_, count) => (count === 0 ? { until: response.opened } : {}));
  const [first, second] = [await makeWorkspace(app), await makeWorkspace(app)];
  const [slow, other] = [
    await hookOf(app, first, {}, receiver),
    await hookOf(app, second, {}, receiver),
  ];
  const held = first.admin.rest.post(`${slow.path}/test`);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  const send = () => second.admin.rest.post(`${other.path}/test`);
  const refused = await send();
  expect(refused).toMatchObject({ status: 429, body: { issues: [{ code: "target_at_limit" }] } });
  expect(refused.headers.get("Retry-After")).toBe("5");
  response.open();
  expect((await held).body).toEqual({ success: true, statusCode: 200 });
  expect((await send()).body).toEqual({ success: true, statusCode: 200 });
});
