import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";
import { run } from "../support/program.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { killDatabase } from "./service-process.ts";

/** One for each way to kill. The whole of it: CRASH_ROUNDS=10. */
const rounds = Number(process.env["CRASH_ROUNDS"] ?? 3);
const Wrote = z.object({ wrote: z.number() });

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
    if (round % 3 !== 0) await killDatabase(dataDir);
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
});
