import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/platform/config.ts";
import { clientOf, settle } from "../crash/service-client.ts";
import { startBalancer } from "../support/balancer.ts";
import { freshDatabase } from "../support/database.ts";
import { freePort } from "../support/listen.ts";
import { hasNginx, startNginx } from "../support/nginx.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { waitUntil } from "../support/wait.ts";

/** Starts instances of one service, each at a port. */
async function cluster() {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const config = readConfig({
    DATABASE_URL: url,
    NODE_ENV: "test",
    PORT: "0",
    DRAIN_SECONDS: "3",
    APP_SECRET: "a secret for tests, 32 characters",
    RATE_LIMIT: "1000000",
    DATA_DIR: await temporaryDirectory(),
  });
  return async (port = 0) => {
    const service = await startService({ ...config, PORT: port }, pino({ level: "silent" }));
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= service.stop());
    onTestFinished(stop);
    return { url: service.url, stop };
  };
}

/**
 * Four clients read and write at a balancer while something happens, which waits for more of their
 * calls where it likes. Answers which calls failed.
 */
async function underLoad(url: string, happen: (more: () => Promise<void>) => Promise<void>) {
  const home = await settle(url);
  const call = clientOf(() => url, home.token);
  const [list = ""] = home.lists;
  let isStopped = false;
  let calls = 0;
  const failed: unknown[] = [];
  const load = async (nth: number) => {
    while (!isStopped) {
      const answer =
        nth % 2 === 0
          ? await call("GET", `/boards/${home.board}`)
          : await call("POST", "/cards", { title: "A card", listPublicId: list });
      calls++;
      if (answer.status !== 200) failed.push([answer.status, answer.body]);
    }
  };
  const more = async () => {
    const before = calls;
    await waitUntil(() => calls > before + 50);
  };
  const loads = Promise.all([0, 1, 2, 3].map(load));
  await happen(more);
  await more();
  isStopped = true;
  await loads;
  process.stdout.write(`rolling restart: ${calls} calls, ${failed.length} failed\n`);
  return failed;
}

test("instances are replaced under load, one after the other, and no call fails", async () => {
  const start = await cluster();
  const balancer = await startBalancer();
  const instances = [await start(), await start()];
  for (const { url } of instances) await balancer.add(url);
  const failed = await underLoad(balancer.url, async (more) => {
    for (const old of instances) {
      await more();
      await balancer.add((await start()).url);
      await old.stop();
      balancer.remove(old.url);
    }
  });
  expect([balancer.errors, failed]).toEqual([[], []]);
});

test.runIf(hasNginx)(
  `behind nginx with the lines of the page, no call fails while instances restart${
    hasNginx ? "" : " (skipped: nginx is not installed, apt-get install nginx-light)"
  }`,
  async () => {
    const start = await cluster();
    const ports = [await freePort(), await freePort()];
    const instances = await Promise.all(ports.map((port) => start(port)));
    const url = await startNginx(ports.map((port) => `127.0.0.1:${port}`));
    const failed = await underLoad(url, async (more) => {
      for (const [nth, old] of instances.entries()) {
        await more();
        await old.stop();
        await more();
        await start(ports[nth]);
      }
    });
    expect(failed).toEqual([]);
  },
);

test("a process that was asked to stop serves calls while only /readyz is 503", async () => {
  const start = await cluster();
  const { url, stop } = await start();
  const home = await settle(url);
  const call = clientOf(() => url, home.token);
  const stopped = stop();
  const { status, body, headers } = await call("GET", "/readyz");
  expect([status, body.issues[0].code]).toEqual([503, "shutting_down"]);
  expect(headers.get("connection")).toBe("close");
  const answer = await call("GET", `/boards/${home.board}`);
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
  expect((await call("GET", "/livez")).status).toBe(200);
  await stopped;
  await expect(call("GET", "/livez")).rejects.toThrow();
});
