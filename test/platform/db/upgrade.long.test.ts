import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { describeSchema } from "../../../src/platform/db/schema-drift.ts";
import { locksFile, type TableLock } from "../../../src/platform/db/migration-locks.ts";
import { migrate } from "../../../src/platform/db/migrate.ts";
import { startBuilt } from "../../bench/servers.ts";
import { clientOf } from "../../crash/service-client.ts";
import { freshDatabase } from "../../support/database.ts";
import { query } from "../../support/embedded.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { releasedSecret, releases, restore } from "./released/restore.ts";

const log = pino({ level: "silent" });
let newSchema = new Set<string>();
beforeAll(async () => {
  const { url, drop } = await freshDatabase({ empty: true });
  await migrate(url, log);
  newSchema = await describeSchema(url);
  await drop();
});

/** The line of a lock in `locks.txt`. */
const lineOf = (name: string, { table, lock, isRewritten, isScanned }: TableLock) =>
  [name, table, lock, isRewritten ? "rewritten" : [], isScanned ? "scanned" : []].flat().join(" ");

test.each(releases)("a database of %s gets the schema of a new one", async (version) => {
  const url = await restore(version);
  const lines: string[] = [];
  const onLocks = (name: string, locks: TableLock[]) =>
    void lines.push(...locks.map((lock) => `${lineOf(name, lock)}\n`));
  const applied = await migrate(url, log, { onLocks });
  expect(applied).toContain("20261126150000_version_0_2_0");
  expect(applied.includes("20261126130000_log_numbers")).toBe(version === "0.1.0");
  expect(await describeSchema(url)).toEqual(newSchema);
  expect(await migrate(url, log)).toEqual([]);
  // `npx vitest run -u` of this test writes the file that `wbs migrate --plan` shows.
  if (version === "0.1.0") await expect(lines.join("")).toMatchFileSnapshot(locksFile);
});

test("an upgrade that was stopped between 0.1.0 and 0.2.0 goes on where it was", async () => {
  const url = await restore("0.1.0");
  const stop = new AbortController();
  const stopped = migrate(url, log, {
    signal: stop.signal,
    onStep: ({ step }) => step === 20 && stop.abort(new Error("stopped")),
  });
  await expect(stopped).rejects.toThrow("stopped");
  const names = `SELECT migration_name AS name FROM _prisma_migrations`;
  expect(await query(url, names)).toHaveLength(8 + 19);
  const rest = await migrate(url, log);
  expect(rest[0]).toBe("20261122180000_issuer_profiles");
  expect(await describeSchema(url)).toEqual(newSchema);
});

test("a database that is older than 0.1.0 is refused, and what to do is said", async () => {
  const url = await restore("0.1.0");
  await query(
    url,
    "DELETE FROM _prisma_migrations WHERE migration_name = '20261120132043_feed_clock'",
  );
  await expect(migrate(url, log)).rejects.toThrow(
    /older than version 0\.1\.0: it lacks the migration 20261120132043_feed_clock\. Start version/,
  );
});

/** Starts the service on a database, with the one file that is attached in it. */
async function serve(databaseUrl: string) {
  const cwd = await temporaryDirectory();
  const [file] = (await query(
    databaseUrl,
    `SELECT "storageKey" AS key FROM attachments WHERE filename = 'note.txt' ORDER BY id LIMIT 1`,
  )) as { key: string }[];
  const key = file?.key ?? "";
  const stored = join(cwd, "files", key.slice(0, 2), key);
  await mkdir(dirname(stored), { recursive: true });
  await writeFile(stored, "twelve bytes");
  const server = await startBuilt({ databaseUrl, secret: releasedSecret, cwd });
  onTestFinished(() => server.stop());
  const account = { email: "ann@example.com", password: "correct horse battery" };
  const session = await clientOf(() => server.origin)("POST", "/auth/login", account);
  const client = clientOf(() => server.origin, session.body.accessToken);
  const call = async (method: string, path: string, body?: object) => {
    const response = await client(method, path, body);
    expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).toBe(200);
    return response.body;
  };
  return { server, call, token: session.body.accessToken };
}

type Named = { name: string; publicId: string };
const named = (items: Named[], name: string) =>
  items.find((item) => item.name === name)?.publicId ?? "";

test.each(releases)("the service upgrades a database of %s, and serves it", async (version) => {
  const { call, server, token } = await serve(await restore(version));
  const [{ workspace }] = await call("GET", "/workspaces");
  const home = `/workspaces/${workspace.publicId}`;
  expect(workspace).toMatchObject({ name: "Garden", slug: "garden" });
  const { items: boards } = await call("GET", `${home}/boards`);
  expect(boards.map(({ name }: Named) => name).toSorted()).toEqual([
    "Autumn",
    "Open day",
    "Spring",
  ]);
  expect(boards.find(({ name }: Named) => name === "Spring")).toMatchObject({ isFavourite: true });

  const board = await call("GET", `/boards/${named(boards, "Spring")}`);
  expect(board).toMatchObject({ labels: [{ name: "Urgent" }] });
  expect(
    board.lists.map(({ name, cards }: { name: string; cards: { title: string }[] }) => [
      name,
      ...cards.map(({ title }) => title),
    ]),
  ).toEqual([
    ["To do", "リンゴの木を植える", "Die Äpfel ernten"],
    ["Doing", "Paint the fence green"],
    ["Done", "Eat the apples"],
  ]);

  const { publicId: apple } = board.lists[0].cards[1];
  const card = await call("GET", `/cards/${apple}`);
  expect(card).toMatchObject({
    description: "Before the **first frost**",
    dueDate: "2027-10-01T12:00:00.000Z",
    labels: [{ name: "Urgent" }],
    checklists: [{ name: "Steps", items: [{ title: "ladder" }, { title: "basket" }] }],
    attachments: [{ filename: "note.txt", size: 12 }],
  });
  const [{ publicId: file }] = card.attachments;
  const content = await fetch(`${server.origin}/api/v1/attachments/${file}/content`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(await content.text()).toBe("twelve bytes");
  const { items: comments } = await call("GET", `/cards/${apple}/comments`);
  expect(comments.map(({ comment }: { comment: string }) => comment)).toEqual([
    "Who has the ladder? @Ben",
    "I have it.",
  ]);

  const found = await call("GET", `${home}/search?query=apfel`);
  expect(JSON.stringify(found)).toContain("Die Äpfel ernten");
  const { items: events } = await call("GET", `${home}/events?limit=100`);
  const types = events.map(({ type }: { type: string }) => type);
  expect(types[0]).toBe("workspace.created");
  expect(types.filter((type: string) => type === "comment.created")).toHaveLength(2);
  expect(types.indexOf("card.moved")).toBeLessThan(types.indexOf("card.deleted"));
  const hooks = await call("GET", `${home}/webhooks`);
  const hook = `${home}/webhooks/${named(hooks, "All")}`;
  const { items: deliveries } = await call("GET", `${hook}/deliveries`);
  expect(new Set(deliveries.map(({ status }: { status: string }) => status))).toEqual(
    new Set(["succeeded"]),
  );
  const trash = await call("GET", `${home}/trash`);
  expect(JSON.stringify(trash)).toContain("Burn the leaves");

  const list = board.lists[2].publicId;
  await call("POST", "/cards", { title: "New", listPublicId: list });
  await call("PUT", `/cards/${apple}`, { listPublicId: list, index: 0 });
  const { lists } = await call("GET", `/boards/${board.publicId}`);
  const titles = lists[2].cards.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(["Die Äpfel ernten", "Eat the apples", "New"]);
});

test("the numbers of a log of 0.1.0 are in the order of its feed", async () => {
  const url = await restore("0.1.0");
  await migrate(url, log);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ gaps: string; last: string }>(
    `SELECT count(*) FILTER (WHERE step <> 1) AS gaps, count(*) AS last FROM (
      SELECT e.number - lag(e.number, 1, 0) OVER (ORDER BY e.id) AS step FROM events e
      JOIN workspaces w ON w.id = e."workspaceId" WHERE w.slug = 'garden') numbered`,
  );
  expect(rows[0]?.gaps).toBe("0");
  expect(Number(rows[0]?.last)).toBeGreaterThan(20);
});
