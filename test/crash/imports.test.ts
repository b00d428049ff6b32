import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { makeExport } from "../transfer/imports/trello-export.ts";
import { importEnd } from "./import-end.ts";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { peakOf, startBuilt, type ServiceProcess } from "./service-process.ts";
import { loseImportLeases } from "../support/faults.ts";
import { queryOn } from "../support/rows.ts";
import { holdSteps } from "./steps.ts";

type Any = any;
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 2);
/** Each round has several transactions to be killed in: a step writes cards of one list. */
const cardsARound = 200;

const start = (DATABASE_URL: string, dataDir: string) =>
  startBuilt(dataDir, { DATABASE_URL, LOG_LEVEL: "error" });

/** A user with a workspace, and a client for the process that runs. */
async function makeUser(service: ServiceProcess) {
  const call = async (
    { url }: ServiceProcess,
    method: string,
    path: string,
    token?: string,
    body?: Any,
  ) => {
    const sent = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const reply = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(typeof body === "object" ? { "Content-Type": "application/json" } : {}),
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const response: Any = await reply.json();
    expect(reply.status, JSON.stringify(response)).toBe(200);
    return response;
  };
  const account = { email: "a@example.com", password: "a password for tests", name: "A" };
  const { accessToken } = await call(service, "POST", "/auth/register", undefined, account);
  const { key } = await call(service, "POST", "/auth/api-keys", accessToken, {
    name: "Key",
    password: "a password for tests",
  });
  const get = (on: ServiceProcess, path: string) => call(on, "GET", path, key);
  const post = (on: ServiceProcess, path: string, body?: Any) => call(on, "POST", path, key, body);
  return { get, post };
}

type TestUser = Awaited<ReturnType<typeof makeUser>>;

/** Waits for the end of an import. */
const endOf = (user: TestUser, on: ServiceProcess, id: string) =>
  importEnd(() => user.get(on, `/imports/${id}`));

/** Starts the import of a file into a workspace of its own. */
async function send(user: TestUser, on: ServiceProcess, source: string) {
  const { publicId } = await user.post(on, "/workspaces", { name: "Same" });
  const path = `/imports/trello/file?workspacePublicId=${publicId}`;
  return {
    workspace: publicId as string,
    id: (await user.post(on, path, source)).publicId as string,
  };
}

const own = new Set([
  "publicId",
  "listPublicId",
  "workspacePublicId",
  "boardPublicId",
  "updatedAt",
  "slug",
  "url",
  "cursor",
]);

/** A response without the fields that differ between two imports. */
const bare = (value: Any): Any =>
  Array.isArray(value)
    ? value.map(bare)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value).flatMap(([key, one]) => (own.has(key) ? [] : [[key, bare(one)]])),
        )
      : value;

/** All that an import has made, as a user sees it. */
async function importedState(user: TestUser, on: ServiceProcess, workspace: string) {
  const { items } = await user.get(on, `/workspaces/${workspace}/boards?limit=100`);
  expect(items).toHaveLength(1);
  const board = await user.get(on, `/boards/${items[0].publicId}?archived=true`);
  const cards: Any[] = board.lists.flatMap((list: Any) => list.cards);
  const some = [];
  for (const { publicId } of cards.filter((_, nth) => nth % 17 === 0)) {
    const comments = await user.get(on, `/cards/${publicId}/comments?limit=100`);
    const history = await user.get(on, `/cards/${publicId}/activities?limit=100`);
    some.push({
      card: await user.get(on, `/cards/${publicId}`),
      comments,
      history: history.items.map((one: Any) => one.type),
    });
  }
  return bare({ board, some });
}

test(`an import survives kill -9, ${rounds} times, with the result of an undisturbed one`, async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const dataDir = await temporaryDirectory();
  const all = cardsARound * rounds;
  const source = JSON.stringify(makeExport({ cards: all, comments: 500 * rounds }));

  let service = await start(database.url, dataDir);
  const user = await makeUser(service);
  const calm = await send(user, service, source);
  const undisturbed = await endOf(user, service, calm.id);
  const expected = await importedState(user, service, calm.workspace);

  const steps = await holdSteps(database.url, "cards");
  const { workspace, id } = await send(user, service, source);
  const made = async () => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS n FROM cards WHERE "workspaceId" = (SELECT id FROM workspaces WHERE "publicId" = $1)`,
      [workspace],
    );
    return Number(rows[0].n);
  };
  for (let [kills, before] = [0, 0]; kills < rounds; kills++) {
    // The last kills can come when the cards are there, and their comments are not.
    for (let now = await made(); now <= before && now < all; now = await made()) await steps.next();
    service.kill();
    await service.ended;
    before = await made();
    if (kills === 0) expect(before).toBeLessThan(all);
    // The lease of the killed process runs out.
    await loseImportLeases(queryOn(client));
    service = await start(database.url, dataDir);
  }
  await steps.release();
  const done = await endOf(user, service, id);
  expect(done).toMatchObject({ status: "completed", counts: undisturbed.counts });
  expect(await importedState(user, service, workspace)).toEqual(expected);

  const path = `/imports/trello/file?workspacePublicId=${workspace}`;
  const again = await user.post(service, path, source);
  const { counts } = await endOf(user, service, again.publicId);
  expect(counts.filter((one: Any) => one.created > 0)).toEqual([]);
  expect(await importedState(user, service, workspace)).toEqual(expected);
  const { rows } = await client.query(`SELECT count(*)::int AS n FROM import_files`);
  expect(rows[0].n).toBe(0);
});

/** More of them: IMPORT_CARDS=20000. */
const cards = Number(process.env["IMPORT_CARDS"] ?? 4_000);
const comments = 2.25 * cards;

test(`a file of over 100 MB, ${cards} cards, ${comments} comments, is imported with less than 400 MB of memory`, async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const service = await start(database.url, await temporaryDirectory());
  const user = await makeUser(service);
  // Few cards are less than 100 MB: the history has what their descriptions were.
  const changes = Math.max(0, 9_000 - cards);
  const source = JSON.stringify(makeExport({ cards, comments, text: 9_500, changes }));
  expect(source.length).toBeGreaterThan(100_000_000);
  const { id } = await send(user, service, source);
  const done = await endOf(user, service, id);
  expect(done).toMatchObject({ status: "completed", error: null });
  expect(done.counts).toContainEqual(expect.objectContaining({ kind: "card", created: cards }));
  expect(done.counts).toContainEqual(
    expect.objectContaining({ kind: "comment", created: comments }),
  );
  expect(await peakOf(service), "MiB").toBeLessThan(400);
});
