import { createWriteStream } from "node:fs";
import pg from "pg";
import { pino } from "pino";
import { startEmbedded } from "../../src/platform/db/embedded/server.ts";

// A minimal service: runs the embedded database, and (with "write") writes one row after the other,
// and reports each write as soon as the database has acknowledged it.
const [, , , dataDir = "", mode = ""] = process.argv;
const out = createWriteStream("", { fd: 1, autoClose: false });
const say = (what: unknown) => out.write(`${JSON.stringify(what)}\n`);
const database = await startEmbedded({ dataDir, log: pino({ level: "silent" }) });
say({ owner: database.owner });

let running = mode === "write";
process.once("SIGTERM", () => {
  running = false;
  void database.stop();
});

const pool = new pg.Pool({ connectionString: database.url, max: 1 });
pool.on("error", () => undefined);
if (running)
  await pool.query("CREATE TABLE IF NOT EXISTS notes (id bigserial PRIMARY KEY, at timestamptz)");
while (running) {
  const { rows } = await pool.query("INSERT INTO notes (at) VALUES (now()) RETURNING id");
  say({ wrote: Number(rows[0]?.id) });
}
await pool.end();
