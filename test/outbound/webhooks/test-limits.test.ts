import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { outgoingShares } from "../../../src/kernel/request/expensive-work.ts";
import { startApp, type App, type Setting } from "../../support/app.ts";
import { makeWorkspace, type Workspace } from "../../support/make.ts";
import type { Receiver } from "../../support/receiver.ts";
import { hookOf, local, receiverFor } from "./hook.ts";

const hostConcurrency = 16;

async function start(constants: Setting["constants"] = {}): Promise<App> {
  const app = await startApp({ env: local, constants });
  onTestFinished(() => app.close());
  return app;
}

/** Counts the most requests that a receiver had at a time. */
function mostAtOnce(receiver: Receiver): () => number {
  let running = 0;
  let most = 0;
  receiver.response(() => {
    most = Math.max(most, ++running);
    // It no longer counts when its answer is sent: the next one may come at once.
    return { until: pause(20).then(() => running--) };
  });
  return () => most;
}

const testsOf = async (app: App, workspace: Workspace, receiver: Receiver, count: number) => {
  const { path } = await hookOf(app, workspace, {}, receiver);
  return () =>
    Promise.all(Array.from({ length: count }, () => workspace.admin.rest.post(`${path}/test`)));
};

test("100 test events of many users to one host have few connections at a time", async () => {
  const app = await start({ WEBHOOK_HOST_RATE: 4_000 });
  const receiver = await receiverFor(app);
  const most = mostAtOnce(receiver);
  const users = await Promise.all(Array.from({ length: 10 }, () => makeWorkspace(app)));
  const senders = [];
  for (const user of users) senders.push(await testsOf(app, user, receiver, 10));
  const replies = (await Promise.all(senders.map((send) => send()))).flat();
  expect(replies.map(({ body }) => body.success)).toEqual(replies.map(() => true));
  expect(most()).toBeLessThanOrEqual(hostConcurrency / 4);
});

test("one user has two calls to other services at a time", async () => {
  const app = await start({ WEBHOOK_HOST_CONCURRENCY: 100 });
  const receiver = await receiverFor(app);
  const most = mostAtOnce(receiver);
  const send = await testsOf(app, await makeWorkspace(app), receiver, 12);
  const replies = await send();
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(most()).toBeLessThanOrEqual(outgoingShares.perCaller);
});
