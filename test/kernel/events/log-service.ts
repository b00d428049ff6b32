import { execFileSync } from "node:child_process";
import { chown, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished } from "vitest";
import { startDatabase } from "../../../src/app/database.ts";
import { startService, type Service } from "../../../src/app/service.ts";
import { configOf } from "../../support/config.ts";
import { clientOf, type Client } from "../../crash/service-client.ts";
import { patient } from "../../support/database.ts";
import { dataOf, query, start as embedded } from "../../support/embedded.ts";

const APP_SECRET = "a secret for tests, 32 characters";

/** Starts the service with its embedded database in a directory. */
export async function start(dataDir: string): Promise<Service> {
  const config = configOf({ DATA_DIR: dataDir, PORT: "0", APP_SECRET });
  const log = pino({ level: "silent" });
  const database = await startDatabase(config, log);
  const starting = Promise.resolve({ ...database, url: patient(database.url) });
  const service = await startService(config, log, starting);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(stop);
  return { ...service, stop };
}

/** A workspace with one list, and calls of its admin at the service that runs now. */
export async function scene(url: () => string) {
  const account = { email: "ann@example.com", password: "a password for tests", name: "Ann" };
  const { body: session } = await clientOf(url)("POST", "/auth/register", account);
  const call = clientOf(url, session.accessToken);
  const { body: workspace } = await call("POST", "/workspaces", { name: "Home" });
  const { body: board } = await call("POST", `/workspaces/${workspace.publicId}/boards`, {
    name: "Board",
    lists: ["One"],
  });
  const listPublicId = board.lists[0].publicId;
  const path = `/workspaces/${workspace.publicId}/events`;
  const add = async (title: string) => {
    const { status } = await call("POST", "/cards", { title, listPublicId });
    expect(status).toBe(200);
  };
  return { call, path, add };
}

/** Copies a directory with its owners and permissions. */
export const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to]);

/** The titles of the events after a cursor, or the code with which it is refused. */
export const titlesAfter = async (call: Client, path: string, cursor: string): Promise<unknown> => {
  const { status, body } = await call("GET", `${path}?cursor=${cursor}`);
  if (status !== 200) return body.issues[0].code;
  return body.items.map((item: any) => item.data.card.title);
};

/** The cursor of the end of the log. */
export const cursorNow = async (call: Client, path: string): Promise<string> =>
  (await call("GET", `${path}?cursor=now`)).body.nextCursor;

/** A standby of a service's database, made from a backup of the running server. */
export async function standbyOf(primary: string, dataDir: string) {
  const source = await embedded(primary);
  const [from, to] = [dataOf(primary), dataOf(dataDir)];
  const client = new pg.Client({ connectionString: source.url });
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  copy(join(primary, "postgres"), join(dataDir, "postgres"));
  const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(false)");
  await client.end();
  const ofProcess = ["postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"];
  for (const name of ofProcess) await rm(join(to, name), { force: true });
  const { uid, gid } = await stat(to);
  for (const [name, text] of Object.entries({
    backup_label: rows[0].labelfile,
    "standby.signal": "",
  })) {
    await writeFile(join(to, name), text);
    await chown(join(to, name), uid, gid);
  }
  const sendLog = () => copy(`${join(from, "pg_wal")}/.`, join(to, "pg_wal"));
  sendLog();
  const server = await embedded(dataDir);
  return {
    dataDir,
    /** Lets the standby have all that the primary has committed. */
    async replay() {
      const [end] = await query(source.url, "SELECT pg_current_wal_flush_lsn()::text AS lsn");
      sendLog();
      const { lsn } = end as { lsn: string };
      const replayed = `SELECT pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn AS "isEqual"`;
      await expect.poll(() => query(server.url, replayed)).toEqual([{ isEqual: true }]);
    },
    promote: () => query(server.url, "SELECT pg_promote(true, 60)"),
  };
}

/** Replaces the rows of a service's database by those of another one, as a dump of it would. */
export async function copyRows(from: string, to: string): Promise<void> {
  const [source, target] = [(await embedded(from)).url, (await embedded(to)).url];
  const tables = (await query(
    source,
    `SELECT quote_ident(tablename) AS name FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  )) as { name: string }[];
  const client = new pg.Client({ connectionString: target });
  await client.connect();
  await client.query("SET session_replication_role = replica");
  for (const { name } of tables) {
    const [all] = (await query(
      source,
      `SELECT coalesce(jsonb_agg(to_jsonb(one)), '[]')::text AS rows FROM ${name} one`,
    )) as { rows: string }[];
    await client.query(`DELETE FROM ${name}`);
    await client.query(
      `INSERT INTO ${name} SELECT * FROM jsonb_populate_recordset(NULL::${name}, $1::jsonb)`,
      [all?.rows],
    );
  }
  await client.end();
  const sequences = (await query(
    source,
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
      WHERE last_value IS NOT NULL`,
  )) as { name: string; last: string }[];
  for (const { name, last } of sequences)
    await query(target, `SELECT setval('"${name}"', ${last})`);
}
