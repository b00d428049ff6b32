import { readFile } from "node:fs/promises";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../src/app/service.ts";
import { configOf } from "../support/config.ts";
import { findServer } from "../../src/platform/db/embedded/process.ts";
import { clientOf, type Answer } from "../crash/service-client.ts";
import { freshDatabase, serverUrl } from "../support/database.ts";
import { dataOf, start as startDatabase } from "../support/embedded.ts";
import { startSilentProxy } from "../support/silent-proxy.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** The longest that a call may take: its turn, a connection, a statement, and a slow machine. */
const callMs = 30_000;
/** Starts a service on a database, and settles a user with a list. */
async function scene(url: string) {
  const config = configOf({
    DATABASE_URL: url,
    PORT: "0",
    APP_SECRET: "a secret for tests, 32 characters",
    RATE_LIMIT: "1000000",
    AUTH_RATE_LIMIT: "1000000",
  });
  const service = await startService(config, pino({ level: "silent" }));
  onTestFinished(() => service.stop());
  const anonymous = clientOf(() => service.url);
  const account = { email: "ann@example.com", password: "a password for tests", name: "Ann" };
  const { body: session } = await anonymous("POST", "/auth/register", account);
  const call = clientOf(() => service.url, session.accessToken);
  const { body: workspace } = await call("POST", "/workspaces", { name: "Home" });
  const { body: board } = await call("POST", `/workspaces/${workspace.publicId}/boards`, {
    name: "Board",
    lists: ["One"],
  });
  const card = { title: "A card", listPublicId: board.lists[0].publicId };
  return { anonymous, call, board: `/boards/${board.publicId}`, card };
}

const allWell = Array.from({ length: 20 }, () => 200);

type Scene = Awaited<ReturnType<typeof scene>>;

/** Every kind of call: a snapshot, a small read, a write, an export. */
const kinds = ({ call, board, card }: Scene): (() => Promise<Answer>)[] => [
  () => call("GET", board),
  () => call("GET", "/users/me"),
  () => call("POST", "/cards", card),
  () => call("GET", "/workspaces"),
];

async function within(ms: number, call: () => Promise<Answer>): Promise<Answer> {
  const began = performance.now();
  const response = await call();
  expect(performance.now() - began).toBeLessThan(ms);
  return response;
}

/** A call ends with 503 and says when to come again. */
const refused = ({ status, headers }: Answer) => {
  expect(status).toBe(503);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
};

/** Each probe answers before a call that begins at the same time. */
async function probesAreQuick({ anonymous, call, board }: Scene) {
  for (const path of ["/readyz", "/health"]) {
    const slow = call("GET", board).then(() => undefined);
    const first = await Promise.race([anonymous("GET", path), slow]);
    expect(first?.status).toBe(503);
  }
}

/** All connections are dead: calls and probes end, as often as they are repeated. */
async function endsDuringSilence(service: Scene) {
  const calls = Array.from({ length: 5 }, () => kinds(service)).flat();
  const all = Promise.all(calls.map((call) => within(callMs, call)));
  await probesAreQuick(service);
  for (const response of await all) refused(response);
  await probesAreQuick(service);
  for (const call of kinds(service)) refused(await within(callMs, call));
}

/** The last answers, once all is well again: then no call finds a dead connection. */
async function recovered(service: Scene) {
  const ready = async () => (await service.anonymous("GET", "/readyz")).status;
  await expect.poll(ready).toBe(200);
  const first = kinds(service).map((call) => call());
  await Promise.all(first);
  const rounds: number[][] = [];
  for (let nth = 0; nth < 5; nth++) {
    const responses = await Promise.all(kinds(service).map((call) => call()));
    rounds.push(responses.map(({ status }) => status));
  }
  return rounds.flat();
}

test("a network that falls silent ends calls with 503, and probes within a second", async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const proxy = await startSilentProxy(
    serverUrl().replace("/postgres", new URL(database.url).pathname),
  );
  const service = await scene(proxy.url);
  await Promise.all(Array.from({ length: 4 }, () => kinds(service).map((call) => call())).flat());
  proxy.silence();
  await endsDuringSilence(service);
  proxy.restore();
  expect(await recovered(service)).toEqual(allWell);
});

test("a short silence leaves only dead connections behind, which are soon replaced", async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const proxy = await startSilentProxy(
    serverUrl().replace("/postgres", new URL(database.url).pathname),
  );
  const service = await scene(proxy.url);
  await Promise.all(Array.from({ length: 4 }, () => kinds(service).map((call) => call())).flat());
  proxy.silence();
  proxy.restore();
  for (const call of kinds(service)) await within(callMs, call);
  expect(await recovered(service)).toEqual(allWell);
});

/** Sends a signal to a server and its processes. */
async function signal(dataDir: string, name: NodeJS.Signals) {
  const server = await findServer(dataOf(dataDir));
  const children = await readFile(`/proc/${server}/task/${server}/children`, "utf8");
  for (const pid of [Number(server), ...children.split(" ").filter(Boolean).map(Number)]) {
    process.kill(pid, name);
  }
}

test.runIf(process.platform === "linux")(
  "a frozen database ends calls with 503, and serves them when it goes on",
  async () => {
    const dataDir = await temporaryDirectory();
    const { url } = await startDatabase(dataDir);
    const service = await scene(url);
    await signal(dataDir, "SIGSTOP");
    await endsDuringSilence(service).finally(() => signal(dataDir, "SIGCONT"));
    expect(await recovered(service)).toEqual(allWell);
  },
);
