import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import pg from "pg";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { Environment } from "../../src/config.ts";
import { startService } from "../../src/service.ts";
import { freshDatabase } from "../support/database.ts";

async function listening() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { server, port: String((server.address() as AddressInfo).port) };
}

test.each(["PORT", "METRICS_PORT"])(
  "a start that fails because %s is taken leaves nothing running",
  async (name) => {
    const database = await freshDatabase();
    onTestFinished(() => database.drop());
    const free = await listening();
    free.server.close();
    const taken = await listening();
    const settings = {
      DATABASE_URL: database.url,
      APP_SECRET: "a secret for tests, 32 characters",
      PORT: free.port,
      [name]: taken.port,
    };
    await expect(
      startService(Environment.parse(settings), pino({ level: "silent" })),
    ).rejects.toThrow("EADDRINUSE");
    await expect(fetch(`http://127.0.0.1:${free.port}/livez`)).rejects.toThrow("fetch failed");
    const other = await freshDatabase();
    onTestFinished(() => other.drop());
    await vi.waitFor(async () => expect(await connectionsTo(database.url, other.url)).toBe(0));
  },
);

async function connectionsTo(url: string, from: string): Promise<number> {
  const client = new pg.Client({ connectionString: from });
  await client.connect();
  try {
    const { rows } = await client.query(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = $1",
      [new URL(url).pathname.slice(1)],
    );
    return rows[0].count;
  } finally {
    await client.end();
  }
}
