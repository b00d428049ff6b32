import { expect, test } from "vitest";
import { deliverDue } from "../support/deliveries.ts";
import { runDue } from "../support/jobs.ts";
import { useOutgoing } from "../support/open-transactions.ts";
import { oneApiOf, operations } from "./access/call.ts";
import { perform } from "./access/perform.ts";
import { useWorld } from "./access/world.ts";

const world = useWorld();
const outgoing = useOutgoing();

const inTransactions = () => outgoing.filter(({ isInside }) => isInside);

test.each(operations)("%s calls other services outside transactions", async (operation) => {
  const [api = "REST"] = oneApiOf(operation);
  await perform(world(), api, operation);
  expect(inTransactions()).toEqual([]);
});

test("webhooks and jobs call other services outside transactions", async () => {
  const { app, receiver, s3, trello } = world();
  // The calls of the operations above went to the storage and to a source of imports.
  const before = outgoing.map(({ to }) => new URL(to).host);
  expect(before).toContain(new URL(trello.apiUrl).host);
  expect(before).toContain(new URL(s3.storageUrl.replace(/^s3\+/, "")).host);
  outgoing.length = 0;
  await deliverDue(app.deps);
  expect(outgoing.map(({ to }) => new URL(to).host)).toContain(new URL(receiver.url).host);
  await runDue(app.deps);
  expect(inTransactions()).toEqual([]);
});

test("a request inside a transaction is found", async () => {
  outgoing.length = 0;
  const { app, github } = world();
  await app.db.transact(async () => {
    await fetch(github.url);
  });
  expect(inTransactions()).toHaveLength(1);
});
