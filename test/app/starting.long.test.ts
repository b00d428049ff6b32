import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../src/app/service.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { readMigrationNames } from "../../src/platform/db/migrations.ts";
import { clientOf } from "../crash/service-client.ts";
import { releasedSecret, restore } from "../platform/db/released/restore.ts";
import { configOf } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { query } from "../support/embedded.ts";
import { freePort } from "../support/listen.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { waitFor } from "../support/wait.ts";

const log = pino({ level: "silent" });
const all = (await readMigrationNames()).length;
const migrating = new RegExp(`^The service is starting: migrating, step \\d+ of ${all}\\.$`);

/** Keeps migrations of a database from going on, until `release`. */
async function hold(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // PostgreSQL ends it otherwise, as any pause in a transaction.
  await client.query("SET idle_in_transaction_session_timeout = 0");
  await client.query("BEGIN");
  await client.query("LOCK TABLE cards IN ACCESS SHARE MODE");
  const release = () => client.end();
  onTestFinished(release);
  return release;
}

/** A database of 0.2.0 and a service that migrates it, or waits for that. */
async function scene(env: Record<string, string> = {}) {
  const url = await restore("0.2.0");
  const release = await hold(url);
  const port = await freePort();
  const stop = new AbortController();
  const own = { DATABASE_URL: url, PORT: String(port), APP_SECRET: releasedSecret };
  const config = configOf({ ...own, DATA_DIR: await temporaryDirectory(), ...env });
  const started = startService(config, log, undefined, stop.signal);
  started.catch(() => undefined);
  onTestFinished(async () => {
    stop.abort(new Error("the end of the test"));
    await started.then(
      (service) => service.stop(),
      () => undefined,
    );
  });
  const call = clientOf(() => `http://127.0.0.1:${port}`);
  /** Waits until everything but `/livez` is 503 with a message. */
  const says = (message: RegExp) =>
    waitFor(async () => {
      const ready = await call("GET", "/readyz");
      expect(ready).toMatchObject({
        status: 503,
        body: { code: "SERVICE_UNAVAILABLE", issues: [{ code: "starting" }] },
      });
      expect(ready.body.issues[0].message).toMatch(message);
    });
  return { url, release, call, says, started, stop };
}

test("the service listens while it migrates, says which step runs, and then is ready", async () => {
  const { call, says, release, started } = await scene();
  await says(migrating);
  expect(await call("GET", "/livez")).toMatchObject({ status: 200, body: { status: "ok" } });
  const refused = await call("POST", "/auth/login", { email: "a", password: "b" });
  expect(refused).toMatchObject({ status: 503, body: { issues: [{ code: "starting" }] } });
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(refused.headers.get("x-content-type-options")).toBe("nosniff");
  await release();
  await started;
  await waitFor(async () =>
    expect(await call("GET", "/readyz")).toMatchObject({ status: 200, body: { status: "ok" } }),
  );
  const account = { email: "ann@example.com", password: "correct horse battery" };
  expect((await call("POST", "/auth/login", account)).status).toBe(200);
});

test("a start that is stopped leaves no step half done, and the next one goes on", async () => {
  const { url, says, release, started, stop } = await scene();
  await says(migrating);
  stop.abort(new Error("stopped"));
  await expect(started).rejects.toThrow("stopped");
  await release();
  const sessions = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'migrate'`;
  await waitFor(async () => expect(await query(url, sessions)).toEqual([]));
  const applied = `SELECT count(*)::int AS count FROM _prisma_migrations`;
  const [{ count }] = (await query(url, applied)) as { count: number }[] as [{ count: number }];
  expect(await migrate(url, log)).toHaveLength(40 + all - count);
});

test("with MIGRATE=false the service waits until somebody has migrated", async () => {
  const { url, call, says, release, started } = await scene({ MIGRATE: "false" });
  await says(new RegExp(`MIGRATE is false, .* not migrated; missing: ${all}\\.$`));
  expect((await call("GET", "/livez")).status).toBe(200);
  await release();
  await migrate(url, log);
  await started;
  expect((await call("GET", "/readyz")).status).toBe(200);
});

/** Runs a built program with a database. */
async function program(name: string, url: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    cwd: await temporaryDirectory(),
    env: { PATH: process.env["PATH"], DATABASE_URL: url, APP_SECRET: releasedSecret, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (said += text.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, said }));
  return { child, ended, said: () => said };
}

const wbs = async (url: string, ...args: string[]) =>
  (await program("cli/main.js", url, "migrate", ...args)).ended;

test("wbs migrate plans, changes nothing with --plan, and migrates", async () => {
  const url = await restore("0.2.0");
  const planned = await wbs(url, "--plan");
  expect(planned.code).toBe(0);
  expect(planned.said).toContain(`${all} migrations would run.`);
  expect(planned.said).toContain(
    "20261129020000_short_idempotency_keys\n" +
      "  idempotency_keys: reads and writes wait while the table is rewritten\n",
  );
  const listed = JSON.parse((await wbs(url, "--plan", "--json")).said);
  expect(listed).toHaveLength(all);
  expect(listed[0]).toEqual({ name: "20261126150000_version_0_2_0", locks: [] });
  const last = "20261129032000_watchers_of_cards";
  expect(listed.find(({ name }: { name: string }) => name === last).locks).toEqual([
    { table: "cards", lock: "AccessExclusiveLock", isRewritten: false, isScanned: true },
  ]);
  const { said } = await wbs(url);
  expect(said).toContain(`Step 23 of ${all}: ${last}\n`);
  expect(said).toContain(`${all} migrations applied.`);
  expect(JSON.parse((await wbs(url, "--json")).said)).toEqual({ applied: [] });
  expect(await wbs(url, "--plans")).toMatchObject({ code: 2 });
});

test("SIGTERM ends wbs migrate, and a service that migrates", async () => {
  const url = await restore("0.2.0");
  await hold(url);
  const command = await program("cli/main.js", url, "migrate");
  await waitFor(() => expect(command.said()).toContain(`Step 2 of ${all}`));
  command.child.kill("SIGTERM");
  expect(await command.ended).toMatchObject({
    code: 1,
    said: expect.stringContaining("Stopped. The migration that ran was rolled back."),
  });
  const service = await program("main.js", url);
  await waitFor(() => expect(service.said()).toContain('"msg":"migrating"'));
  service.child.kill("SIGTERM");
  expect(await service.ended).toMatchObject({ code: 0 });
  expect(service.said()).not.toContain("Workspace Board Service");
});

test("a database that a newer version has taken over is refused at the start", async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  await query(
    url,
    `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at)
    VALUES ('1', '20990101000000_needs_99_1_0_drop_titles', '', now())`,
  );
  const { ended } = await program("main.js", url);
  expect(await ended).toMatchObject({
    code: 1,
    said: expect.stringMatching(/needs version 99\.1\.0 or newer .* This is \d+\.\d+\.\d+: start/),
  });
});
