import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { startDatabase } from "../../src/app/database.ts";
import { startService } from "../../src/app/service.ts";
import { configOf } from "../support/config.ts";
import { clientOf } from "../crash/service-client.ts";
import { freshDatabase, serverUrl } from "../support/database.ts";
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts";

const title = hasPgBouncer
  ? ""
  : " (skipped: PgBouncer is not installed, apt-get install pgbouncer)";

/** The settings of a service whose new database is behind PgBouncer, and its log. */
async function behind(mode: Parameters<typeof startPgBouncer>[1], options = "") {
  const database = await freshDatabase({ empty: true });
  onTestFinished(() => database.drop());
  const address = new URL(serverUrl());
  address.pathname = new URL(database.url).pathname;
  const url = `${await startPgBouncer(address.href, mode)}${options}`;
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const APP_SECRET = "a secret for tests, 32 characters";
  return { config: configOf({ DATABASE_URL: url, PORT: "0", APP_SECRET }), log, lines };
}

test.runIf(hasPgBouncer)(
  `two instances behind PgBouncer in session mode migrate, write, and hear each other${title}`,
  async () => {
    const { config, log, lines } = await behind("session", "?options=-c%20statement_timeout%3D9s");
    const one = await startService(config, log);
    onTestFinished(() => one.stop());
    const other = await startService(config, log);
    onTestFinished(() => other.stop());
    const account = { email: "ann@example.com", password: "a password for tests", name: "Ann" };
    const { body: session } = await clientOf(() => one.url)("POST", "/auth/register", account);
    const call = clientOf(() => one.url, session.accessToken);
    const { body: workspace } = await call("POST", "/workspaces", { name: "Home" });
    const path = `/workspaces/${workspace.publicId}/events`;
    const there = clientOf(() => other.url, session.accessToken);
    const { body: now } = await there("GET", `${path}?cursor=now`);
    const waiting = there("GET", `${path}?cursor=${now.nextCursor}&wait=20`);
    const created = await call("POST", `/workspaces/${workspace.publicId}/boards`, { name: "B" });
    expect(created.status).toBe(200);
    expect((await waiting).body.items).toMatchObject([{ type: "board.created" }]);
    expect((await there("GET", "/health")).body).toMatchObject({ status: "ok" });
    expect(lines).toEqual([]);
  },
);

test.runIf(hasPgBouncer).each(["transaction", "statement"] as const)(
  `behind PgBouncer in %s mode the service refuses to start, and says why${title}`,
  async (mode) => {
    const { config, log } = await behind(mode);
    await expect(startDatabase(config, log)).rejects.toThrow(/pool_mode.*session/);
  },
);
