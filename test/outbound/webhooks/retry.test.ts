import { expect, onTestFinished, test } from "vitest";
import { deliverDue } from "../../support/deliveries.ts";
import { startApp, useApp } from "../../support/app.ts";
import { damageSecret, setWebhookUrl } from "../../support/faults.ts";
import { hooked, local, sentTo } from "./hook.ts";
import { findEvents } from "../../support/events.ts";

const app = useApp({ env: local });
const second = 1_000;
const hour = 3_600 * second;
const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const waits = async (list: () => Promise<any[]>) => {
  const [{ nextAttemptAt }] = await list();
  return (Date.parse(nextAttemptAt) - app().deps.clock().getTime()) / second;
};

test("a delivery is sent at once, and a complete 2xx response ends it", async () => {
  const { hook, add, list, read, health } = await hooked(app());
  hook.receiver.response({ status: 204 });
  const { body: card } = await add("New");
  const [sent] = await sentTo(app(), hook.receiver);
  expect(sent?.verifiedBy).toEqual([hook.secret]);
  expect(sent?.body).toMatchObject({
    type: "card.created",
    timestamp: app().deps.clock().toISOString(),
    data: { card: { publicId: card.publicId, title: "New" }, board: { name: expect.any(String) } },
  });
  const [delivery] = await list();
  const now = app().deps.clock().toISOString();
  expect(delivery).toEqual({
    publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
    eventPublicId: sent?.id,
    type: "card.created",
    status: "succeeded",
    attemptCount: 1,
    statusCode: 204,
    error: null,
    nextAttemptAt: null,
    createdAt: now,
    finishedAt: now,
  });
  expect((await read(delivery.publicId)).attempts).toEqual([
    {
      number: 1,
      startedAt: now,
      durationMs: expect.any(Number),
      statusCode: 204,
      error: null,
      response: "",
    },
  ]);
  expect(await health()).toMatchObject({ lastSuccessAt: now, failingSince: null, pendingCount: 0 });
  expect(await deliverDue(app().deps)).toBe(0);
});

test("a failed delivery is retried at the times of the schedule, within 20 %, and then never", async () => {
  const { hook, add, list, read } = await hooked(app());
  hook.receiver.response({ status: 500, body: "not now" });
  await add();
  const ids = new Set<string>();
  const stamps = new Set<number>();
  for (const [before, seconds] of schedule.entries()) {
    const [sent, ...more] = await sentTo(app(), hook.receiver);
    expect([sent?.verifiedBy, more]).toEqual([[hook.secret], []]);
    ids.add(sent?.id ?? "");
    stamps.add(sent?.timestampSeconds ?? 0);
    const [delivery] = await list();
    expect(delivery).toMatchObject({
      status: "pending",
      attemptCount: before + 1,
      statusCode: 500,
    });
    const wait = await waits(list);
    expect(wait).toBeGreaterThanOrEqual(seconds * 0.8);
    expect(wait).toBeLessThanOrEqual(seconds * 1.2);
    app().advance(wait * second - 1);
    expect(await deliverDue(app().deps)).toBe(0);
    app().advance(1);
  }
  expect(await sentTo(app(), hook.receiver)).toHaveLength(1);
  const [delivery] = await list();
  expect(delivery).toMatchObject({ status: "failed", attemptCount: 10, nextAttemptAt: null });
  expect(delivery.finishedAt).toBe(app().deps.clock().toISOString());
  const { attempts } = await read(delivery.publicId);
  expect(attempts.map(({ number }: { number: number }) => number)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
  expect(attempts[3]).toMatchObject({
    statusCode: 500,
    response: "not now",
    error: "The receiver responded with 500.",
  });
  expect(ids.size).toBe(1);
  expect(stamps.size).toBe(9);
  app().advance(48 * hour);
  expect(await deliverDue(app().deps)).toBe(0);
});

test("webhook-timestamp is the time of the attempt, and webhook-id is the id of the event", async () => {
  const { hook, add, list } = await hooked(app());
  hook.receiver.response((_, count) => ({ status: count === 0 ? 503 : 200 }));
  await add();
  const [first] = await sentTo(app(), hook.receiver);
  app().advance(6 * second);
  const [then] = await sentTo(app(), hook.receiver);
  expect(then?.id).toBe(first?.id);
  expect(then?.body).toEqual(first?.body);
  expect((then?.timestampSeconds ?? 0) - (first?.timestampSeconds ?? 0)).toBe(6);
  const [event] = await findEvents(app(), { where: { publicId: then?.id ?? "" } });
  expect(event?.type).toBe("card.created");
  expect(await list()).toMatchObject([
    { status: "succeeded", attemptCount: 2, statusCode: 200, error: null },
  ]);
});

test("Retry-After delays the next attempt, in seconds or as a date, by up to a day", async () => {
  const inTwoHours = new Date(app().deps.clock().getTime() + 2 * hour).toUTCString();
  for (const [value, least, most] of [
    ["120", 120, 120],
    [inTwoHours, 7_199, 7_200],
    ["999999", 86_400, 86_400],
    ["0", 4, 6],
    ["soon", 4, 6],
  ] as const) {
    const { hook, add, list } = await hooked(app());
    hook.receiver.response({ status: 429, headers: { "retry-after": value } });
    await add();
    await deliverDue(app().deps);
    const wait = await waits(list);
    expect({ value, least: wait >= least, most: wait <= most }).toEqual({
      value,
      least: true,
      most: true,
    });
  }
});

test.each([
  ["a redirect", { status: 302, headers: { location: "/elsewhere" } }, 302],
  ["404", { status: 404 }, 404],
  ["a 5xx", { status: 502 }, 502],
  ["a reset connection", { how: "reset" }, null],
  ["an incomplete response", { how: "cut" }, 200],
] as const)("%s is a failure, and is retried", async (_name, behaviour, statusCode) => {
  const { hook, add, list } = await hooked(app());
  hook.receiver.response((_, count) => (count === 0 ? behaviour : {}));
  await add();
  expect(await sentTo(app(), hook.receiver)).toHaveLength(1);
  expect(await list()).toMatchObject([
    { status: "pending", statusCode, error: expect.stringMatching(/^The .+\.$/) },
  ]);
  app().advance(6 * second);
  expect(await sentTo(app(), hook.receiver)).toMatchObject([{ path: "/" }]);
  expect(await list()).toMatchObject([{ status: "succeeded", attemptCount: 2 }]);
});

test("a schedule of retries ends with the last one", async () => {
  const own = await startApp({ env: local, constants: { WEBHOOK_RETRY_SCHEDULE: [1, 60] } });
  onTestFinished(() => own.close());
  const { hook, add, list } = await hooked(own);
  hook.receiver.response({ status: 500 });
  await add();
  for (const ms of [0, 1_200, 72_000, 72_000_000]) {
    own.advance(ms);
    await deliverDue(own.deps);
  }
  expect(await list()).toMatchObject([{ status: "failed", attemptCount: 3 }]);
});

test("a secret that cannot be decrypted fails the attempt with that error", async () => {
  const { hook, add, list } = await hooked(app());
  await damageSecret(app(), hook.publicId);
  await add();
  expect(await sentTo(app(), hook.receiver)).toEqual([]);
  expect(await list()).toMatchObject([
    { status: "pending", error: expect.stringContaining("secret cannot be decrypted") },
  ]);
});

test("the address is checked at every attempt, not only when the webhook is added", async () => {
  const { hook, add, list } = await hooked(app());
  for (const url of [
    hook.receiver.url.replace("127.0.0.1", "0.0.0.0"),
    "http://10.0.0.1/",
    "ftp://example.com/",
  ]) {
    await setWebhookUrl(app(), hook.publicId, url);
    await add();
    await deliverDue(app().deps);
    expect((await list())[0]).toMatchObject({
      status: "pending",
      statusCode: null,
      error: expect.stringMatching(/^The (host|URL) .+\.$/),
    });
  }
  expect(hook.receiver.connections()).toBe(0);
});
