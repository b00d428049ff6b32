import { existsSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { readLag } from "../../kernel/jobs/lag.ts";
import type { Config } from "../../platform/config.ts";
import { pendingMigrations } from "../../platform/db/migrate.ts";
import { openOwnConnection } from "../../platform/db/own-connection.ts";
import { queryRows } from "../../platform/db/prepared-query.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import { createSchemaCheck } from "../../platform/db/schema-state.ts";
import { startDatabase } from "../database.ts";
import { loadSecret, secretAdvice, secretState } from "../secret.ts";
import * as facts from "./database-facts.ts";
import { fault, messageOf, ok, warning, type Finding } from "./finding.ts";

/** The oldest server that the schema works on. */
const oldestVersion = 140_000;
/** Beyond it, PostgreSQL itself warns of lost transaction ids. */
const oldestTransaction = 1_500_000_000;
/** How far the clocks of the service and its database may differ, in s. */
const clockSeconds = 2;
const lagSeconds = 60;
const slotBytes = 1024 ** 3;
/** How long ago a job may have failed to be news, in ms. */
const recentMs = 24 * 60 * 60_000;

/** Checks the database that the settings name, and what is in it. */
export async function checkDatabase(config: Config, now: () => Date): Promise<Finding[]> {
  const { DATABASE_URL, DATA_DIR } = config;
  if (DATABASE_URL === undefined && !existsSync(join(DATA_DIR, "postgres")))
    return [ok(`There is no database in ${DATA_DIR} yet. The first start creates it.`)];
  const advice =
    "Without the database the service does not start. docs/operating.md has its address.";
  const started = startDatabase(config, pino({ level: "silent" }));
  const database = await started.catch((error: unknown) => fault(messageOf(error), advice));
  if ("level" in database) return [database];
  try {
    const { client, close } = await openOwnConnection(database.url, "doctor");
    const query: Query = (statement) => queryRows(client, statement);
    try {
      return await checkAll(query, { config, now, url: database.url });
    } finally {
      await close();
    }
  } finally {
    await database.stop();
  }
}

type About = { config: Config; now: () => Date; url: string };

async function checkAll(query: Query, { config, now, url }: About): Promise<Finding[]> {
  const asked = now().getTime();
  const server = firstRow(await query<facts.ServerFacts>(facts.serverFacts));
  const found = [
    ...checkServer(server, config),
    ...checkClock(server.now, asked, now().getTime()),
    ...(await checkStandbys(query, server)),
    ...(await checkUpkeep(query, server)),
  ];
  const schema = await checkSchema(query, server, url);
  // What is in a schema of another version cannot be asked about.
  const inside = schema.some(({ level }) => level === "fault")
    ? []
    : [...(await checkSecret(query, config)), ...(await checkWork(query, now()))];
  return [...found, ...schema, ...inside];
}

function checkServer(server: facts.ServerFacts, config: Config): Finding[] {
  const found: Finding[] = [];
  const version = `${Math.floor(server.version / 10_000)}.${server.version % 10_000}`;
  if (server.version < oldestVersion)
    found.push(fault(`PostgreSQL ${version} is too old.`, "Upgrade it to 14 or newer."));
  if (server.encoding !== "UTF8")
    found.push(
      fault(
        `The database has the encoding ${server.encoding}, which cannot store all texts.`,
        "Create one with ENCODING 'UTF8' TEMPLATE template0, and move the data with pg_dump.",
      ),
    );
  if (server.isStandby || server.isReadOnly)
    found.push(
      fault(
        `The database accepts no writes: ${server.isStandby ? "it is a standby" : "default_transaction_read_only is on"}.`,
        "Let DATABASE_URL lead to the primary: docs/high-availability.md.",
      ),
    );
  if (!server.mayCreate)
    found.push(
      fault(
        "The role may not create tables, so migrations fail.",
        "Let the role own the database, or grant it CREATE on its schema.",
      ),
    );
  if (server.isSuperuser && config.DATABASE_URL !== undefined)
    found.push(
      warning(
        "The role is a superuser, which the service does not need.",
        "docs/operating.md has a role that owns its database, and nothing else.",
      ),
    );
  if (server.fsync === "off")
    found.push(fault("fsync is off: a power failure can destroy the database.", "Set fsync = on."));
  if (server.commits === "off")
    found.push(
      warning(
        "synchronous_commit is off: a crash of the server loses the last writes.",
        "Set synchronous_commit = on.",
      ),
    );
  if (server.maxConnections - server.connections < config.DATABASE_CONNECTIONS)
    found.push(
      warning(
        `${server.connections} of ${server.maxConnections} connections are in use, and an instance opens ${config.DATABASE_CONNECTIONS} or more.`,
        "Raise max_connections, or lower DATABASE_CONNECTIONS.",
      ),
    );
  return found.length > 0 ? found : [ok(`PostgreSQL ${version} can be used.`)];
}

function checkClock(theirs: Date, asked: number, answered: number): Finding[] {
  const early = (asked - theirs.getTime()) / 1_000;
  const late = (theirs.getTime() - answered) / 1_000;
  const seconds = Math.round(Math.max(early, late));
  if (seconds < clockSeconds) return [];
  return [
    fault(
      `The clocks of this machine and of the database differ by ${seconds} s: leases and tokens end too early or too late.`,
      "Synchronize both with NTP.",
    ),
  ];
}

async function checkStandbys(query: Query, server: facts.ServerFacts): Promise<Finding[]> {
  const standbys = await query<facts.StandbyFacts>(facts.standbyFacts);
  const slots = await query<{ name: string; bytes: number | null }>(facts.idleSlots);
  const [own] = server.isStandby
    ? await query<{ lagSeconds: number | null }>(facts.ownLag)
    : [undefined];
  const late = [...standbys, ...(own === undefined ? [] : [{ name: "this standby", ...own }])];
  const waits = server.wantsStandbys && server.commits !== "off" && server.commits !== "local";
  return [
    ...(waits && !server.isStandby && !standbys.some(({ sync }) => /^(?:sync|quorum)$/.test(sync))
      ? [
          fault(
            "synchronous_standby_names is set and no such standby is connected: no write ends.",
            "Start the standby, or empty synchronous_standby_names.",
          ),
        ]
      : []),
    ...late
      .filter((one) => (one.lagSeconds ?? 0) > lagSeconds)
      .map(({ name, lagSeconds: lag }) =>
        warning(
          `The standby ${name} is ${Math.round(lag ?? 0)} s behind: a failover would lose that time.`,
          "Check its load, its disk and the network.",
        ),
      ),
    ...slots
      .filter(({ bytes }) => (bytes ?? 0) > slotBytes)
      .map(({ name, bytes }) =>
        warning(
          `Nobody reads the replication slot ${name}, which keeps ${Math.round((bytes ?? 0) / 1024 ** 2)} MB.`,
          "Start its standby, or drop the slot: it fills the disk.",
        ),
      ),
  ];
}

/** Checks what PostgreSQL does beside statements: it counts rows and removes dead ones. */
async function checkUpkeep(query: Query, server: facts.ServerFacts): Promise<Finding[]> {
  const tables = await query<facts.TableFacts>(facts.tableFacts);
  const long = await query<facts.LongTransaction>(facts.longTransactions);
  return [
    ...(server.autovacuum === "off"
      ? [warning("autovacuum is off: tables grow without end.", "Set autovacuum = on.")]
      : []),
    ...(server.transactionAge > oldestTransaction
      ? [
          fault(
            `The oldest transaction id is ${server.transactionAge} transactions old: at two billions PostgreSQL accepts no writes.`,
            "Run VACUUM (FREEZE), and find what keeps autovacuum from it.",
          ),
        ]
      : []),
    ...long.map(({ pid, program, minutes }) =>
      warning(
        `The transaction of process ${pid} (${program}) is open for ${minutes} minutes: dead rows stay until it ends.`,
        `Find out what it does, or end it: SELECT pg_terminate_backend(${pid}).`,
      ),
    ),
    ...tables.map(({ name, dead, live }) =>
      dead > live
        ? warning(
            `The table ${name} has ${dead} dead rows and ${live} live ones.`,
            `Run VACUUM (ANALYZE) ${name}, and see why autovacuum does not.`,
          )
        : warning(
            `PostgreSQL has no statistics of the table ${name}: statements can be slow.`,
            `Run ANALYZE ${name}.`,
          ),
    ),
  ];
}

async function checkSchema(
  query: Query,
  server: facts.ServerFacts,
  url: string,
): Promise<Finding[]> {
  const pending = await pendingMigrations(url);
  if (pending.length > 0)
    return [
      fault(
        `The database lacks ${pending.length} migrations of this version.`,
        server.isStandby ? "Migrate the primary." : "Run wbs migrate, or start the service.",
      ),
    ];
  const broken = await query<{ name: string }>(facts.brokenIndexes);
  const extensions = await query<facts.ExtensionFacts>(facts.extensionFacts);
  const unsupported = await createSchemaCheck({ read: query })().then(
    () => [],
    (error: unknown) => [fault(messageOf(error), "Start the newest version that ran here.")],
  );
  const found = [
    ...unsupported,
    ...extensions
      .filter(({ installed }) => installed === null)
      .map(({ name }) =>
        fault(
          `The extension ${name} is missing, so searches fail.`,
          `Run CREATE EXTENSION ${name}. Its indexes went with it: prisma/by-hand.txt has them.`,
        ),
      ),
    ...broken.map(({ name }) =>
      fault(
        `The index ${name} is not valid: PostgreSQL does not use it.`,
        `Run REINDEX INDEX CONCURRENTLY "${name}".`,
      ),
    ),
  ];
  return found.length > 0 ? found : [ok("The schema is the one of this version.")];
}

async function checkSecret(query: Query, config: Config): Promise<Finding[]> {
  const APP_SECRET = config.APP_SECRET ?? (await loadSecret(config.DATA_DIR));
  if (APP_SECRET === undefined)
    return [fault("There is no app-secret in DATA_DIR.", `Restore the file. ${secretAdvice}`)];
  const state = await secretState(query, { ...config, APP_SECRET });
  return state === "wrong"
    ? [fault("APP_SECRET is not the one of this database.", secretAdvice)]
    : [ok("APP_SECRET is the one of this database.")];
}

async function checkWork(query: Query, now: Date): Promise<Finding[]> {
  const since = new Date(now.getTime() - recentMs);
  const work = firstRow(await query<facts.WorkFacts>(facts.workFacts(since)));
  const lag = Math.round(await readLag(query, now));
  const found: Finding[] = [];
  if (lag > 5 * 60)
    found.push(
      fault(
        `A job waits for ${lag} s: no worker runs.`,
        "Start an instance with WORKERS above 0, and look into its log.",
      ),
    );
  if (work.failedJobs > 0)
    found.push(
      warning(
        `${work.failedJobs} jobs failed in the last day.`,
        "See wbs admin work jobs --status failed.",
      ),
    );
  if (work.failingWebhooks > 0)
    found.push(
      warning(
        `${work.failingWebhooks} webhooks fail: their receivers do not answer.`,
        "See wbs admin work webhooks --failing.",
      ),
    );
  if (work.ownerless > 0)
    found.push(
      warning(
        `${work.ownerless} workspaces have no active admin, so nobody can manage them.`,
        "Give them one, or delete them: wbs admin workspaces list --without-admin.",
      ),
    );
  return found.length > 0 ? found : [ok("Nothing has failed, and nothing waits.")];
}
