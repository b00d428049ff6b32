import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../src/api/request-log.ts";
import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/platform/config.ts";
import { clientOf, settle, type Answer } from "../crash/service-client.ts";
import { freshDatabase } from "../support/database.ts";
import { query } from "../support/embedded.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { waitUntil } from "../support/wait.ts";

const secret = "a secret for tests, 32 characters";
const other = "another secret, also 32 characters";

/** Starts a service; `stop` can be called twice. */
async function serve(url: string, env: Record<string, string> = {}) {
  const lines: { msg: string; level: number; route?: string; failure?: string }[] = [];
  const config = readConfig({
    DATABASE_URL: url,
    NODE_ENV: "test",
    PORT: "0",
    APP_SECRET: secret,
    RATE_LIMIT: "1000000",
    DATA_DIR: await temporaryDirectory(),
    ...env,
  });
  const log = createLogger("info", { write: (line) => void lines.push(JSON.parse(line)) });
  const service = await startService(config, log);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(stop);
  return { url: service.url, stop, lines, call: clientOf(() => service.url) };
}

async function database() {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  return url;
}

const said = ({ status, body }: Answer) => [status, body.issues?.[0].code ?? body.status];
const ready = [200, "ok"];

test("a service with another secret than its database answers only /livez", async () => {
  const url = await database();
  const first = await serve(url);
  const { token } = await settle(first.url);
  expect(said(await first.call("GET", "/readyz"))).toEqual(ready);
  await first.stop();

  const wrong = await serve(url, { APP_SECRET: other });
  const refused = [503, "secret_mismatch"];
  expect(said(await wrong.call("GET", "/livez"))).toEqual(ready);
  expect(said(await wrong.call("GET", "/readyz"))).toEqual(refused);
  expect(said(await wrong.call("GET", "/health"))).toEqual(refused);
  // A 401 would end the session of the client.
  const me = await clientOf(() => wrong.url, token)("GET", "/users/me");
  expect(said(me)).toEqual(refused);
  expect(me.headers.get("retry-after")).toBe("10");
  expect(wrong.lines.filter(({ level }) => level === 50)).toMatchObject([
    { msg: expect.stringMatching(/APP_SECRET.*APP_SECRET_PREVIOUS.*DELETE FROM/) },
  ]);
  await wrong.stop();

  const rotated = await serve(url, { APP_SECRET: other, APP_SECRET_PREVIOUS: secret });
  expect(said(await rotated.call("GET", "/readyz"))).toEqual(ready);
  expect((await clientOf(() => rotated.url, token)("GET", "/users/me")).status).toBe(200);
  await rotated.stop();
  const next = await serve(url, { APP_SECRET: other });
  expect(said(await next.call("GET", "/readyz"))).toEqual(ready);
  const old = await serve(url);
  expect(said(await old.call("GET", "/readyz"))).toEqual(refused);

  const stored = JSON.stringify(await query(url, "SELECT * FROM secret_fingerprints"));
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(other);
});

test("two first starts with different secrets: one is the secret of the database", async () => {
  const url = await database();
  const both = await Promise.all([serve(url), serve(url, { APP_SECRET: other })]);
  const answers = await Promise.all(both.map(({ call }) => call("GET", "/readyz")));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 503]);
});

test("a server that is set to read-only makes a service unready, until it is not", async () => {
  const url = await database();
  const name = new URL(url).pathname.slice(1);
  await query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const service = await serve(url);
  expect(said(await service.call("GET", "/readyz"))).toEqual([503, "database_read_only"]);
  expect((await service.call("GET", "/health")).body).toMatchObject({
    status: "degraded",
    database: "read_only",
  });
  const writable = new URL(url);
  writable.searchParams.set("options", "-c default_transaction_read_only=off");
  await query(writable.href, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
  // Sessions have what they were given: the pool replaces them.
  await query(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
  );
  await waitUntil(async () => (await service.call("GET", "/readyz")).status === 200);
});

test("a storage that cannot be written makes a service unready, until it can", async () => {
  const root = join(await temporaryDirectory(), "files");
  const service = await serve(await database(), { STORAGE_URL: `file:${root}` });
  expect(said(await service.call("GET", "/readyz"))).toEqual(ready);
  await rm(root, { recursive: true });
  await writeFile(root, "not a folder");
  const state = async () => said(await service.call("GET", "/readyz"));
  await waitUntil(async () => (await state())[0] === 503);
  expect(await state()).toEqual([503, "storage_unavailable"]);
  expect((await service.call("GET", "/health")).body).toMatchObject({ storage: "unreachable" });
  await rm(root);
  await waitUntil(async () => (await state())[0] === 200);

  // Probes are in the log once for each change.
  const probes = service.lines.filter(({ route }) => route === "/readyz");
  expect(probes.map(({ failure = "ok" }) => failure)).toEqual(["storage_unavailable", "ok"]);
});
