import { once } from "node:events";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { examine } from "../../src/app/doctor/examine.ts";
import { certificate } from "../outbound/webhooks/certificate.ts";
import { freshDatabase } from "../support/database.ts";
import { query } from "../support/embedded.ts";
import { freePort, listen } from "../support/listen.ts";
import { startS3 } from "../support/s3.ts";
import { startSmtp } from "../support/smtp.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { startSignInProvider } from "../support/sign-in-provider.ts";

const secret = "a secret for tests, 32 characters";

/** An installation in which nothing is wrong, and where a fault is planted in it. */
type Installation = {
  env: Record<string, string>;
  envFile: Record<string, string>;
  url: string;
  now: () => Date;
};

async function install(): Promise<Installation> {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  await alter(url, "SET synchronous_commit = on");
  const service = await listening();
  const env = {
    DATABASE_URL: url,
    DATA_DIR: await temporaryDirectory(),
    APP_SECRET: secret,
    PORT: String(service.port),
    NODE_ENV: "test",
  };
  return { env, envFile: {}, url, now: () => new Date() };
}

async function findingsOf({ env, envFile, now }: Installation) {
  const found = [];
  for await (const one of examine({ env, envFile, now })) found.push(one);
  return found;
}

// The tests' own server is the fastest one, and they are its administrators.
const usual = ["The role is a superuser", "fsync is off", "autovacuum is off"];
const unusual = (found: Awaited<ReturnType<typeof findingsOf>>) =>
  found.filter(({ level, text }) => level !== "ok" && !usual.some((one) => text.startsWith(one)));

test("an installation in which nothing is wrong has no finding", async () => {
  const found = await findingsOf(await install());
  expect(unusual(found)).toEqual([]);
  const ok = found.filter(({ level }) => level === "ok").map(({ check }) => check);
  // Of the server itself, the usual findings are told.
  const inside = ["database", "database", "database"];
  expect(ok).toEqual(["settings", "settings", "data", ...inside, "storage", "address"]);
});

const urlOf = (port: number, scheme = "http") => `${scheme}://127.0.0.1:${port}`;

/** Serves an address over TLS, with a certificate that nobody knows. */
async function serveTls(): Promise<number> {
  const server = createTlsServer(certificate, (_, response) => response.end('{"status":"ok"}'));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** What is planted, and what the doctor says. */
const faults: Record<string, [plant: (into: Installation) => unknown, finding: RegExp]> = {
  "a value that is not valid": [({ env }) => (env["PORT"] = "many"), /PORT was "many"/],
  "a setting that is not one": [({ envFile }) => (envFile["BASE_ULR"] = "x"), /mean BASE_URL/],
  "half of an application": [({ env }) => (env["GITHUB_CLIENT_ID"] = "x"), /GITHUB_CLIENT_SECRET/],
  "development in public": [
    ({ env }) => Object.assign(env, { NODE_ENV: "development", BASE_URL: "http://boards.test" }),
    /in development at a public address/,
  ],
  "a proxy that is not trusted": [
    async ({ env }) => (env["BASE_URL"] = urlOf((await listening()).port)),
    /TRUST_PROXY is 0/,
  ],
  "no server": [
    async ({ env }) => (env["DATABASE_URL"] = `postgresql://u:p@127.0.0.1:${await freePort()}/b`),
    /The database cannot be used/,
  ],
  "no database of that name": [
    ({ env, url }) => (env["DATABASE_URL"] = url.replace(/\/test_\w+/, "/nothing")),
    /The database cannot be used/,
  ],
  "a server that accepts no writes": [
    ({ url }) => alter(url, "SET default_transaction_read_only = on"),
    /accepts no writes: default_transaction_read_only is on/,
  ],
  "commits that do not wait": [
    ({ url }) => alter(url, "SET synchronous_commit = off"),
    /synchronous_commit is off/,
  ],
  "missing migrations": [
    ({ url }) =>
      query(
        url,
        "DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)",
      ),
    /lacks 1 migrations/,
  ],
  "a missing extension": [
    ({ url }) => query(url, "DROP EXTENSION btree_gin CASCADE"),
    /extension btree_gin is missing/,
  ],
  "an index that was not finished": [
    ({ url }) =>
      query(
        url,
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'cards_pkey'::regclass",
      ),
    /index cards_pkey is not valid/,
  ],
  "another secret": [
    async ({ env, url }) => {
      await query(url, "DELETE FROM secret_fingerprints");
      await query(url, "INSERT INTO secret_fingerprints (sealed) VALUES ('v1.AAAA')");
      env["APP_SECRET"] = "another secret, also 32 characters";
    },
    /APP_SECRET is not the one of this database/,
  ],
  "a table full of dead rows": [
    async ({ url }) => {
      await query(url, "CREATE TABLE dead AS SELECT generate_series(1, 20000) AS n");
      await query(url, "ALTER TABLE dead SET (autovacuum_enabled = off)");
      await query(url, "DELETE FROM dead WHERE n > 10");
      await counted(url);
    },
    /table dead has 19990 dead rows/,
  ],
  "jobs that wait": [
    ({ url }) =>
      query(url, `INSERT INTO jobs (kind, "runAt") VALUES ('purge', now() - interval '1 hour')`),
    /A job waits for 36\d\d s/,
  ],
  "jobs that failed": [
    ({ url }) =>
      query(url, `INSERT INTO jobs (kind, status, "finishedAt") VALUES ('mail', 'failed', now())`),
    /1 jobs failed/,
  ],
  "a workspace that nobody can manage": [
    ({ url }) =>
      query(
        url,
        `INSERT INTO workspaces ("publicId", name, slug, "cardPrefix", "updatedAt")
          VALUES ('ownerless123', 'Home', 'home', 'HO', now())`,
      ),
    /1 workspaces have no active admin/,
  ],
  "a clock that is wrong": [
    (into) => (into.now = () => new Date(Date.now() + 60_000)),
    /clocks of this machine and of the database differ by 60 s/,
  ],
  "a folder that is a file": [
    async ({ env }) => {
      const file = join(env["DATA_DIR"] ?? "", "a-file");
      await writeFile(file, "");
      env["STORAGE_URL"] = `file:${file}/files`;
    },
    /storage cannot be used/,
  ],
  "a bucket that refuses": [
    async ({ env }) => {
      const s3 = await startS3();
      onTestFinished(() => s3.stop());
      s3.fail(403);
      env["STORAGE_URL"] = s3.storageUrl;
    },
    /storage cannot be used/,
  ],
  "a secret that others can read": [
    async ({ env }) => {
      const file = join(env["DATA_DIR"] ?? "", "app-secret");
      await mkdir(env["DATA_DIR"] ?? "", { recursive: true });
      await writeFile(file, secret);
      await chmod(file, 0o644);
    },
    /Other users of this machine can read app-secret/,
  ],
  "no mail server": [
    async ({ env }) => {
      Object.assign(env, { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, ...mail });
    },
    /No mail can be sent/,
  ],
  "mail from nowhere": [
    async ({ env }) => {
      const smtp = await startSmtp();
      onTestFinished(() => smtp.close());
      Object.assign(env, { SMTP_URL: smtp.url, APP_URL: "https://app.test" });
    },
    /MAIL_FROM is an address of localhost/,
  ],
  "no issuer": [
    async ({ env }) => {
      const issuer = urlOf(await freePort());
      Object.assign(env, { OIDC_ISSUER: issuer, OIDC_AUDIENCE: "boards" });
    },
    /Nobody can sign in through the issuer/,
  ],
  "a provider of sign-in that does not answer": [
    async ({ env }) => {
      const issuer = urlOf(await freePort());
      env["SIGN_IN_PROVIDERS"] = JSON.stringify([
        { kind: "oidc", id: "acme", ...registered, issuer },
      ]);
    },
    /Nobody can sign in through OpenID Connect \(acme\): /,
  ],
  "a provider of sign-in with another issuer": [
    async ({ env }) => {
      const provider = await startSignInProvider();
      onTestFinished(() => provider.stop());
      provider.issuer = "https://issuer.example";
      const google = { kind: "google", ...registered, issuer: provider.url };
      env["SIGN_IN_PROVIDERS"] = JSON.stringify([google]);
    },
    /Nobody can sign in through Google \(google\): .*issuer/,
  ],
  "a service that does not run": [
    async ({ env }) => (env["PORT"] = String(await freePort())),
    /livez does not answer/,
  ],
  "another program at the address": [
    async ({ env }) => {
      const { port } = await listening(() => new Response("Welcome!", { status: 404 }));
      env["PORT"] = String(port);
    },
    /answers 404, and not as the service does/,
  ],
  "a certificate that nobody trusts": [
    async ({ env }) => {
      Object.assign(env, { BASE_URL: urlOf(await serveTls(), "https"), TRUST_PROXY: "1" });
    },
    /Clients do not trust the certificate/,
  ],
  "a certificate that has expired": [
    async (into) => {
      Object.assign(into.env, { BASE_URL: urlOf(await serveTls(), "https"), TRUST_PROXY: "1" });
      into.now = () => new Date("2121-01-01");
    },
    /certificate of 127.0.0.1 has expired/,
  ],
};

const registered = { clientId: "boards", clientSecret: "a secret" };
const mail = { MAIL_FROM: "boards@example.com", APP_URL: "https://app.test" };

async function listening(answer = () => Response.json({ status: "ok" })) {
  const server = await listen(answer);
  onTestFinished(server.close);
  return server;
}

const alter = (url: string, what: string) =>
  query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} ${what}`);

/** Waits until PostgreSQL has counted what the last session has written. */
async function counted(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await expect
    .poll(async () => {
      await client.query("SELECT pg_stat_clear_snapshot()");
      const { rows } = await client.query(
        "SELECT n_dead_tup > 10000 AS known FROM pg_stat_user_tables WHERE relname = 'dead'",
      );
      return rows[0]?.known;
    })
    .toBe(true)
    .finally(() => client.end());
}

test.each(Object.entries(faults))("finds %s, and says what to do", async (_, [plant, text]) => {
  const installation = await install();
  await plant(installation);
  const found = unusual(await findingsOf(installation));
  const telling = found.filter((one) => text.test(one.text));
  expect(telling, JSON.stringify(found)).toHaveLength(1);
  expect(telling[0]?.advice?.length).toBeGreaterThan(5);
});
