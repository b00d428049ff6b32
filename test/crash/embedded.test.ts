import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { findServer } from "../../src/db/embedded/process.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { run } from "../support/program.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const rounds = 10;
const Wrote = z.object({ wrote: z.number() });

/** Kills the server with everything that it has started, as a crash of the machine would. */
async function killServer(dataDir: string) {
  const server = await findServer(join(dataDir, "postgres", "data"));
  if (server === undefined) return;
  const children = await readFile(`/proc/${server}/task/${server}/children`, "utf8").catch(
    () => "",
  );
  for (const pid of [server, ...children.split(" ").filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went with its parent.
    }
  }
}

test(`kill -9 of service and database in the middle of writes, ${rounds} times, loses nothing acknowledged`, async () => {
  const dataDir = await temporaryDirectory();
  const acknowledged: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const service = run(new URL("service.ts", import.meta.url), dataDir, "write");
    onTestFinished(() => service.kill());
    expect(await service.next()).toHaveProperty("owner");
    const take = (line: unknown) =>
      line !== undefined && acknowledged.push(Wrote.parse(line).wrote);
    for (let n = 0; n < 100 + 37 * round; n++) take(await service.next());
    // In turn: the service only, the database only, both.
    if (round % 3 !== 0) await killServer(dataDir);
    await service.kill("SIGKILL");
    for (let line = await service.next(); line !== undefined; line = await service.next())
      take(line);
  }

  const database = await startEmbedded({ dataDir, log: pino({ level: "silent" }) });
  onTestFinished(() => database.stop());
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ missing: number[] | null }>(
    `SELECT array_agg(w.id) AS missing FROM unnest($1::int[]) AS w(id)
     WHERE NOT EXISTS (SELECT FROM notes WHERE notes.id = w.id)`,
    [acknowledged],
  );
  await client.end();
  expect(acknowledged.length).toBeGreaterThan(rounds * 100);
  expect(rows).toEqual([{ missing: null }]);
}, 60_000);
