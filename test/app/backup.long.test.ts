import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../../src/api/request-log.ts";
import { restoreBackup } from "../../src/app/backup/restore.ts";
import { saveBackup } from "../../src/app/backup/save.ts";
import { startService } from "../../src/app/service.ts";
import { readConfig, type Config } from "../../src/platform/config.ts";
import { clientOf, settle } from "../crash/service-client.ts";
import { freshDatabase } from "../support/database.ts";
import { query } from "../support/embedded.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** A place for a service: its settings, and an empty database. */
async function place(env: Record<string, string> = {}) {
  const { url, drop } = await freshDatabase({ empty: true });
  onTestFinished(drop);
  const config = readConfig({
    DATABASE_URL: url,
    NODE_ENV: "test",
    PORT: "0",
    WORKERS: "0",
    RATE_LIMIT: "1000000",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_ALLOWED_SUBNETS: "127.0.0.0/8",
    DATA_DIR: await temporaryDirectory(),
    ...env,
  });
  return { url, config };
}

async function serve(config: Config): Promise<{ url: string; stop: () => Promise<void> }> {
  const service = await startService(config, createLogger("silent", { write: () => undefined }));
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  onTestFinished(stop);
  return { url: service.url, stop };
}

/** Fills a service with something of every kind that is hard to copy. */
async function fill(url: string) {
  const home = await settle(url);
  const call = clientOf(() => url, home.token);
  const { body: board } = await call("GET", `/boards/${home.board}`);
  const cards = [];
  for (const title of ["Tab\tand\\backslash", "Zeile\nzwei", 'Quote " and \u{1f600}', "\\N"]) {
    const made = await call("POST", "/cards", { title, listPublicId: home.lists[0] });
    expect(made.status).toBe(200);
    cards.push(made.body.publicId);
  }
  await call("POST", `/cards/${cards[0]}/comments`, { comment: "\\. is no end" });
  const content = "the bytes of a file";
  const sent = await fetch(`${url}/api/v1/cards/${cards[0]}/attachments?filename=a.txt`, {
    method: "POST",
    headers: { authorization: `Bearer ${home.token}`, "content-type": "text/plain" },
    body: content,
  });
  const stored: any = await sent.json();
  expect(sent.status).toBe(200);
  const path = `/workspaces/${board.workspacePublicId}/webhooks`;
  const hook = { name: "Hook", url: "http://127.0.0.1:9/hook", events: ["*"] };
  expect((await call("POST", path, hook)).status).toBe(200);
  return { ...home, cards, attachment: stored.publicId, content };
}

/** What each table has, as one text. */
async function contentsOf(url: string): Promise<Record<string, unknown>> {
  const tables: any[] = await query(
    url,
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r'
      AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations' ORDER BY 1`,
  );
  const contents: Record<string, unknown> = {};
  for (const { name } of tables)
    contents[name] = await query(
      url,
      `SELECT count(*)::int AS count, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest
        FROM "${name}" t`,
    );
  return contents;
}

const foreignKeys = `SELECT conname, pg_get_constraintdef(oid) AS definition, convalidated
  FROM pg_constraint WHERE contype = 'f' ORDER BY conname, conrelid::regclass::text`;
const sequences = `SELECT sequencename, last_value FROM pg_sequences
  WHERE last_value IS NOT NULL ORDER BY 1`;

test("a backup that is restored into an empty place serves what was there, and goes on", async () => {
  const from = await place();
  const first = await serve(from.config);
  const home = await fill(first.url);
  const folder = join(await temporaryDirectory(), "backup");
  const manifest = await saveBackup(from.url, from.config, { folder, withFiles: true });
  expect(manifest).toMatchObject({ format: 1, files: 1, missingFiles: [] });
  expect(manifest.tables).toMatchObject({ cards: 4, comments: 1, webhooks: 1, users: 1 });
  await first.stop();

  const to = await place();
  expect(await restoreBackup(to.url, to.config, folder)).toEqual(manifest);
  expect(await contentsOf(to.url)).toEqual(await contentsOf(from.url));
  expect(await query(to.url, foreignKeys)).toEqual(await query(from.url, foreignKeys));
  const disabled = `SELECT tgname FROM pg_trigger WHERE tgenabled <> 'O'`;
  expect(await query(to.url, disabled)).toEqual([]);
  const before: any[] = await query(from.url, sequences);
  const after: any[] = await query(to.url, sequences);
  for (const { sequencename, last_value: last } of after) {
    const source = before.find((one) => one.sequencename === sequencename);
    expect(Number(last), sequencename).toBeLessThanOrEqual(Number(source?.last_value ?? 0));
  }

  const second = await serve(to.config);
  const call = clientOf(() => second.url, home.token);
  expect((await call("GET", "/readyz")).status).toBe(200);
  expect((await call("GET", `/cards/${home.cards[3]}`)).body.title).toBe("\\N");
  const file = await fetch(`${second.url}/api/v1/attachments/${home.attachment}/content`, {
    headers: { authorization: `Bearer ${home.token}` },
  });
  expect(await file.text()).toBe(home.content);
  const made = await call("POST", "/cards", { title: "After", listPublicId: home.lists[0] });
  expect(made.status).toBe(200);
  expect((await call("GET", "/users/me")).status).toBe(200);
});

test("a folder that is no complete backup is refused, and writes nothing", async () => {
  const from = await place();
  const first = await serve(from.config);
  await fill(first.url);
  const folder = join(await temporaryDirectory(), "backup");
  await saveBackup(from.url, from.config, { folder, withFiles: true });

  const again = saveBackup(from.url, from.config, { folder, withFiles: true });
  await expect(again).rejects.toThrow("is not empty");
  await expect(restoreBackup(from.url, from.config, folder)).rejects.toThrow("has accounts");

  const to = await place();
  const manifest = await readFile(join(folder, "manifest.json"), "utf8");
  await rm(join(folder, "manifest.json"));
  await expect(restoreBackup(to.url, to.config, folder)).rejects.toThrow("no complete backup");
  const older = { ...JSON.parse(manifest), migrations: ["20200101000000_init"] };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(older));
  await expect(restoreBackup(to.url, to.config, folder)).rejects.toThrow("another schema");
  expect(await query(to.url, "SELECT 1 FROM users")).toEqual([]);
  expect(await readdir(to.config.DATA_DIR)).toEqual([]);

  await writeFile(join(folder, "manifest.json"), manifest);
  const table = join(folder, "tables", "cards.copy.gz");
  const rows = await readFile(table);
  await rm(table);
  await expect(restoreBackup(to.url, to.config, folder)).rejects.toThrow("cards.copy.gz");
  expect(await query(to.url, "SELECT 1 FROM users")).toEqual([]);

  await writeFile(table, rows);
  const [key = ""] = await readdir(join(folder, "files"));
  const file = join(folder, "files", key);
  const bytes = await readFile(file);
  await rm(file);
  await expect(restoreBackup(to.url, to.config, folder)).rejects.toThrow("0 files, and had 1");
  await writeFile(file, bytes);
  // What failed half way is repeated.
  expect(await restoreBackup(to.url, to.config, folder)).toEqual(JSON.parse(manifest));
});

test("a backup is not restored beside another secret", async () => {
  const from = await place();
  const first = await serve(from.config);
  await fill(first.url);
  const folder = join(await temporaryDirectory(), "backup");
  await saveBackup(from.url, from.config, { folder, withFiles: false });

  const other = await place({ APP_SECRET: "another secret, also 32 characters" });
  await expect(restoreBackup(other.url, other.config, folder)).rejects.toThrow(
    "APP_SECRET is not the secret of this backup",
  );
  expect(await query(other.url, "SELECT 1 FROM users")).toEqual([]);

  const used = await place();
  await mkdir(used.config.DATA_DIR, { recursive: true });
  await writeFile(join(used.config.DATA_DIR, "app-secret"), "one that is in use already");
  await expect(restoreBackup(used.url, used.config, folder)).rejects.toThrow("another secret");
});
