import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { entriesOf } from "../transfer/exports/fetching.ts";
import { fill, type Amounts } from "../transfer/exports/many.ts";
import { normal } from "../transfer/exports/normal.ts";
import { importEnd } from "./import-end.ts";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { peakOf, startBuilt, type ServiceProcess } from "./service-process.ts";
import { loseImportLeases } from "../support/faults.ts";
import { queryOn } from "../support/rows.ts";

type Any = any;

/** The whole of it: CRASH_ROUNDS=10. */
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 2);
const cardsARound = 210;
const email = "a@example.com";

/** A service that can be killed and started again, and a client of it. */
async function begin() {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const dataDir = await temporaryDirectory();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const start = () => startBuilt(dataDir, { DATABASE_URL: database.url, LOG_LEVEL: "error" });
  let service: ServiceProcess = await start();
  let token: string | undefined;
  const call = async (method: string, path: string, body?: Any): Promise<Buffer> => {
    const isBytes = body instanceof Uint8Array;
    const reply = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isBytes && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await reply.arrayBuffer());
    expect(reply.status, bytes.toString("utf8", 0, 1_000)).toBe(200);
    return bytes;
  };
  const json = async (...asked: Parameters<typeof call>) =>
    JSON.parse(String(await call(...asked)));
  const account = { email, password: "a password for tests", name: "A" };
  token = (await json("POST", "/auth/register", account)).accessToken;
  token = (await json("POST", "/auth/api-keys", { name: "Key", password: "a password for tests" }))
    .key;
  return {
    url: database.url,
    client,
    call,
    json,
    async crash() {
      service.kill("SIGKILL");
      await service.ended;
      // The lease of the killed process runs out.
      await loseImportLeases(queryOn(client));
      service = await start();
    },
    peak: () => peakOf(service),
  };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** A workspace with three lists of so much, and some files. */
async function makeSource({ url, call, json }: Begun, each: Amounts, files = 0): Promise<string> {
  const { publicId } = await json("POST", "/workspaces", { name: "Source" });
  const path = `/workspaces/${publicId}/boards`;
  const board = await json("POST", path, { name: "Board", lists: ["1", "2", "3"] });
  const db = await openDatabase(url, 2, pino({ level: "silent" }));
  for (const list of board.lists) await fill({ db }, list.publicId, each);
  await db.close();
  const { items } = await json(
    "GET",
    `/boards/${board.publicId}/cards?limit=${Math.max(1, files)}`,
  );
  for (const [nth, card] of items.slice(0, files).entries()) {
    const bytes = Buffer.from(`file ${nth % 3} ${"x".repeat(50_000)}`);
    await call("POST", `/cards/${card.publicId}/attachments?filename=${nth}.txt`, bytes);
  }
  return publicId;
}

/** Waits for the end of an import. */
const ended = ({ json }: Begun, id: string) => importEnd(() => json("GET", `/imports/${id}`));

test(`an import of a workspace survives kill -9, ${rounds} times, with the result of an undisturbed one`, async () => {
  const begun = await begin();
  const { client, call, json, crash } = begun;
  const each = { cards: (cardsARound * rounds) / 3, comments: 2, items: 2, events: 3 };
  const source = await makeSource(begun, each, 9);
  const archive = await call("GET", `/workspaces/${source}/export?files=true`);
  const started = await json("POST", "/imports/workspace", archive);
  const workspace = started.workspacePublicId;
  const made = async (): Promise<number> => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM cards WHERE "workspaceId" = (SELECT id FROM workspaces WHERE "publicId" = $1)`,
      [workspace],
    );
    return rows[0].n;
  };
  let before = 0;
  for (let kills = 0; kills < rounds; kills++) {
    for (let now = await made(); now <= before; now = await made()) await pause(5);
    await crash();
    before = await made();
    expect(before).toBeLessThanOrEqual(cardsARound * rounds);
    if (before === cardsARound * rounds) break;
  }
  const done = await ended(begun, started.publicId);
  expect(done).toMatchObject({ status: "completed", error: null });
  const again = await call("GET", `/workspaces/${workspace}/export?files=true`);
  const [first, second] = [await entriesOf(archive), await entriesOf(again)];
  const documentOf = (entries: Map<string, Buffer>) =>
    normal(JSON.parse(String(entries.get("workspace.json"))), { email }, true);
  expect(documentOf(second)).toEqual(documentOf(first));
  for (const entries of [first, second]) entries.delete("workspace.json");
  expect(second).toEqual(first);
  const { rows } = await client.query(`SELECT count(*)::int AS n FROM import_files`);
  expect(rows[0].n).toBe(0);
});

/** The documented size: EXPORT_CARDS=20000. */
const exported = Number(process.env["EXPORT_CARDS"] ?? 4_500);

test(`a workspace of ${exported} cards goes out and comes in with the process under 400 MB`, async () => {
  const begun = await begin();
  const { call, json, peak } = begun;
  const each = { cards: Math.ceil(exported / 3), comments: 2, items: 3, events: 4 };
  const source = await makeSource(begun, each);
  const document = await call("GET", `/workspaces/${source}/export`);
  expect(document.byteLength).toBeGreaterThan(exported * 2_000);
  expect(await peak(), "MiB after the export").toBeLessThan(400);
  const started = await json("POST", "/imports/workspace", document);
  const done = await ended(begun, started.publicId);
  expect(done).toMatchObject({ status: "completed", error: null });
  expect(await peak(), "MiB after the import").toBeLessThan(400);
  const again = await call("GET", `/workspaces/${started.workspacePublicId}/export`);
  const { counts } = JSON.parse(String(document));
  expect(JSON.parse(String(again)).counts).toEqual(counts);
});
