import { randomBytes } from "node:crypto";
import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { describeSchema } from "../../../src/platform/db/schema-drift.ts";
import { migrate } from "../../../src/platform/db/migrate.ts";
import { migrationsDirectory, readMigrations } from "../../../src/platform/db/migrations.ts";
import { startBuilt } from "../../bench/servers.ts";
import { freshDatabase } from "../../support/database.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const log = pino({ level: "silent" });

/** The rows of a database that version 0.1.0 has written, through its API, by table. */
const released: Record<string, object[]> = JSON.parse(
  await readFile(new URL("released-data.json", import.meta.url), "utf8"),
);
const releasedMigrations = 8;
const all = await readMigrations();
const fresh = await freshDatabase({ empty: true });
await migrate(fresh.url, log);
const freshSchema = await describeSchema(fresh.url);
await fresh.drop();

/** Applies the first migrations only, one after the other, as a service of that time did. */
async function migrateTo(url: string, count: number) {
  const directory = await temporaryDirectory();
  for (const { name } of all.slice(0, count)) {
    await mkdir(join(directory, name));
    await cp(join(migrationsDirectory, name), join(directory, name), { recursive: true });
  }
  await migrate(url, log, directory);
}

/** A database of version 0.1.0. */
async function releasedDatabase() {
  const { url, drop } = await freshDatabase({ empty: true });
  onTestFinished(drop);
  await migrateTo(url, releasedMigrations);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // The rows are whole: triggers and foreign keys would only need another order of tables.
    await client.query("SET session_replication_role = replica");
    await client.query("DELETE FROM feed_clock");
    for (const [table, rows] of Object.entries(released)) {
      const name = client.escapeIdentifier(table);
      await client.query(
        `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1)`,
        [JSON.stringify(rows)],
      );
      if (rows.some((row) => "id" in row))
        await client.query(
          `SELECT setval(pg_get_serial_sequence('${name}', 'id'), max(id)) FROM ${name}`,
        );
    }
  } finally {
    await client.end();
  }
  return url;
}

test.each([8, 16, 24, 32, all.length - 1])(
  "a database of 0.1.0 with its first %i migrations becomes one with the schema of a new database",
  async (count) => {
    const url = await releasedDatabase();
    await migrateTo(url, count);
    expect(await migrate(url, log)).toEqual(all.slice(count).map(({ name }) => name));
    expect(await describeSchema(url)).toEqual(freshSchema);
  },
);

test("the service upgrades a database of 0.1.0 when it starts, and serves what is in it", async () => {
  const databaseUrl = await releasedDatabase();
  const secret = randomBytes(32).toString("hex");
  const cwd = await temporaryDirectory();
  const server = await startBuilt({ databaseUrl, secret, cwd });
  onTestFinished(() => server.stop());
  let token = "";
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.origin}/api/v1${path}`, {
      method,
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: any = await response.json();
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer;
  };
  const account = { email: "ann@example.com", password: "correct horse battery" };
  token = (await call("POST", "/auth/login", account)).accessToken;
  const workspaces = await call("GET", "/workspaces");
  const { publicId: workspace } = workspaces[0].workspace;
  const { items: boards } = await call("GET", `/workspaces/${workspace}/boards`);
  const names = boards.map(({ name }: { name: string }) => name).toSorted();
  expect(names).toEqual(["Open day", "Spring", "Surprise"]);

  const spring = boards.find(({ name }: { name: string }) => name === "Spring").publicId;
  const board = await call("GET", `/boards/${spring}`);
  const shown = board.lists.map(
    ({ name, cards }: { name: string; cards: { title: string }[] }) => ({
      name,
      cards: cards.map(({ title }) => title),
    }),
  );
  expect(shown).toEqual([
    {
      name: "To do",
      cards: [
        "Paint the fence",
        "リンゴの木を植える",
        "Plant the apple tree",
        "Plant the apple tree",
        "Once",
      ],
    },
    { name: "Between", cards: [] },
    { name: "Doing", cards: ["Die Äpfel ernten"] },
    { name: "Done", cards: [] },
  ]);
  const [, , { publicId }] = board.lists[0].cards;
  const card = await call("GET", `/cards/${publicId}`);
  expect(card).toMatchObject({
    checklists: [
      {
        items: [
          { title: "water", isComplete: false },
          { title: "dig", isComplete: true },
          { title: "plant", isComplete: false },
        ],
      },
    ],
  });
  const found = await call("GET", `/workspaces/${workspace}/search?query=apfel`);
  expect(JSON.stringify(found)).toContain("Die Äpfel ernten");
  const { items: events } = await call("GET", `/workspaces/${workspace}/events?limit=100`);
  expect(events.length).toBeGreaterThan(30);

  const list = board.lists[3].publicId;
  const created = await call("POST", "/cards", { title: "New", listPublicId: list });
  expect(created.cardNumber).toMatch(/-1\d$/);
});
