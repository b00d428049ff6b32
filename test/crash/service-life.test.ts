import { once } from "node:events";
import { cp, readdir, rm, symlink } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { findServer } from "../../src/platform/db/embedded/process.ts";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { serviceDirectory, temporaryDirectory } from "../support/temporary.ts";
import { clientOf, settle, type Client } from "./service-client.ts";
import { killDatabase, root, startBuilt } from "./service-process.ts";
import { waiting } from "./waiting.ts";

/** A connection of the test's own to the service's database. */
async function connection(dataDir: string): Promise<pg.Client> {
  const database = await startEmbedded({ dataDir, log: pino({ level: "silent" }) });
  // The service alone decides what a shutdown of the database means.
  database.willStop();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.stop();
  });
  return client;
}

const create = (call: Client, list: string | undefined, title = "A card") =>
  call("POST", "/cards", { title, listPublicId: list });

/** Creates a card; a machine that is too busy answers 503, and the call is repeated. */
async function createWhenFree(...[call, list, title]: Parameters<typeof create>) {
  for (;;) {
    const response = await create(call, list, title);
    if (response.status !== 503) return response;
  }
}

test("an idle connection stays open longer than those of load balancers", async () => {
  const service = await startBuilt(await serviceDirectory());
  const { headers } = await clientOf(() => service.url)("GET", "/livez");
  expect(headers.get("keep-alive")).toBe("timeout=75");
});

test("a stop finishes the requests in flight, refuses new ones, and exits with 0", async () => {
  const dataDir = await serviceDirectory();
  const service = await startBuilt(dataDir);
  const home = await settle(service.url);
  const call = clientOf(() => service.url, home.token);
  const holder = await connection(dataDir);
  await holder.query("BEGIN");
  await holder.query(`SELECT FROM lists WHERE "publicId" = $1 FOR UPDATE`, [home.lists[0]]);
  const inFlight = [1, 2, 3].map((n) => create(call, home.lists[0], `Card ${n}`));
  await waiting(holder, 3);
  expect((await clientOf(() => service.url)("GET", "/readyz")).status).toBe(200);

  service.kill("SIGTERM");
  while ((await clientOf(() => service.url)("GET", "/readyz")).status === 200);
  const probe = await clientOf(() => service.url)("GET", "/readyz");
  const late = await create(call, home.lists[1]);
  for (const { status, body, headers } of [probe, late]) {
    expect([status, body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect((await clientOf(() => service.url)("GET", "/livez")).status).toBe(200);

  await holder.query("COMMIT");
  const responses = await Promise.all(inFlight);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await service.ended).toBe(0);
  const again = await startBuilt(dataDir);
  const { body } = await clientOf(() => again.url, home.token)("GET", `/boards/${home.board}`);
  expect(body.lists[0].cards).toHaveLength(3);
  expect(body.lists[1].cards).toEqual([]);
});

test("a second instance on the same data shares the database, and continues when the first one stops", async () => {
  const dataDir = await serviceDirectory();
  const first = await startBuilt(dataDir);
  const home = await settle(first.url);
  const second = await startBuilt(dataDir);
  const [one, two] = [
    clientOf(() => first.url, home.token),
    clientOf(() => second.url, home.token),
  ];
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, n) => createWhenFree(n % 2 ? one : two, home.lists[0], `${n}`)),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const [mine, theirs] = [
    await one("GET", `/boards/${home.board}`),
    await two("GET", `/boards/${home.board}`),
  ];
  // Each read has a cursor of its own.
  const { cursor } = mine.body;
  expect({ ...theirs.body, cursor }).toEqual(mine.body);
  expect(new Set(responses.map(({ body }) => body.cardNumber)).size).toBe(40);

  first.kill();
  await first.ended;
  expect((await createWhenFree(two, home.lists[0])).body.index).toBe(40);
  second.kill("SIGTERM");
  expect(await second.ended).toBe(0);
});

test("while its database is stopped the service answers 503, never 500, and recovers without a restart", async () => {
  const dataDir = await serviceDirectory();
  const service = await startBuilt(dataDir);
  const home = await settle(service.url);
  const call = clientOf(() => service.url, home.token);
  const { body: card } = await create(call, home.lists[0]);
  const acts: (() => ReturnType<Client>)[] = [
    () => create(call, home.lists[0]),
    () => call("PUT", `/cards/${card.publicId}`, { title: `${Math.random()}`, index: 0 }),
    () => call("GET", `/boards/${home.board}`),
    () => call("GET", `/cards/${card.publicId}`),
    () => call("GET", `/lists/${home.lists[0]}`),
    () => call("GET", "/workspaces"),
    () => call("GET", "/auth/sessions"),
    () => call("GET", "/health"),
    () => call("GET", "/readyz"),
  ];
  for (let round = 0; round < 2; round++) {
    let failed = 0;
    let killed = false;
    const loops = acts.map(async (act) => {
      // Each goes on until it has met the failure, or outlived it, and then works again.
      for (let good = 0; good < 20;) {
        const { status, body, headers } = await act();
        if (status !== 200) {
          const logged = /^.*request failed.*$/m.exec(service.output())?.[0];
          expect([status, body.code], logged).toEqual([503, "SERVICE_UNAVAILABLE"]);
          expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
          failed++;
          // Many calls that fail would take the time that the database needs to start.
          await pause(200);
        }
        good = killed && status === 200 ? good + 1 : 0;
      }
    });
    await create(call, home.lists[1]);
    expect(await killDatabase(dataDir)).toBe(true);
    killed = true;
    await Promise.all(loops);
    expect(failed).toBeGreaterThan(0);
    expect((await call("GET", "/health")).body.status).toBe("ok");
  }
  expect(service.process.exitCode).toBeNull();
  expect(service.output()).not.toContain("request failed");
});

test("a SIGTERM to its database alone restarts the database; calls answer 200 or 503", async () => {
  const dataDir = await serviceDirectory();
  const service = await startBuilt(dataDir);
  const home = await settle(service.url);
  const call = clientOf(() => service.url, home.token);
  const data = join(dataDir, "postgres", "data");
  const before = await findServer(data);
  process.kill(before ?? 0, "SIGTERM");
  const statuses = new Set<number>();
  while ((await findServer(data)) === before || !service.output().includes("is running again")) {
    statuses.add((await create(call, home.lists[0])).status);
    await pause(20);
  }
  await expect.poll(async () => (await call("GET", "/readyz")).status).toBe(200);
  expect((await createWhenFree(call, home.lists[0])).status).toBe(200);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(service.output()).not.toContain("request failed");
  service.kill("SIGTERM");
  expect(await service.ended).toBe(0);
});

test("SIGTERM to the service and its database at once finishes the requests in flight", async () => {
  const dataDir = await serviceDirectory();
  const service = await startBuilt(dataDir);
  const home = await settle(service.url);
  const call = clientOf(() => service.url, home.token);
  const holder = await connection(dataDir);
  await holder.query("BEGIN");
  await holder.query(`SELECT FROM lists WHERE "publicId" = $1 FOR UPDATE`, [home.lists[0]]);
  const inFlight = create(call, home.lists[0]);
  await waiting(holder, 1);
  service.kill("SIGTERM");
  process.kill((await findServer(join(dataDir, "postgres", "data"))) ?? 0, "SIGTERM");
  await holder.query("COMMIT");
  expect((await inFlight).status).toBe(200);
  expect(await service.ended).toBe(0);
});

test("an installation that lacks a module ends with its name, and leaves no database running", async () => {
  const copy = await temporaryDirectory();
  for (const part of ["dist", "package.json", "prisma"]) {
    await cp(join(root, part), join(copy, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  const bundled = join(copy, "dist", "start");
  const lacking = (await readdir(bundled)).find((name) => /^service-.*\.js$/.test(name)) ?? "";
  await rm(join(bundled, lacking));
  const dataDir = await serviceDirectory();
  const failure = await startBuilt(dataDir, { LOG_LEVEL: "warn" }, copy).catch(String);
  expect(failure).toContain(lacking);
  expect(await killDatabase(dataDir)).toBe(false);
});

test.each(["PORT", "METRICS_PORT"])(
  "whose %s is taken ends with a sentence that says so, and leaves no database running",
  async (name) => {
    const dataDir = await serviceDirectory();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    onTestFinished(() => void taken.close());
    const { port } = z.object({ port: z.int() }).parse(taken.address());
    const failure = await startBuilt(dataDir, { [name]: String(port), LOG_LEVEL: "warn" }).catch(
      String,
    );
    const said = `127.0.0.1:${port} is in use. Stop the other process, or write: ${name}=`;
    expect(failure).toMatch(new RegExp(`^Error: The service ended: ${said}\\d+ npm start\n$`));
    expect(await killDatabase(dataDir)).toBe(false);
  },
);
