import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { fill } from "../transfer/exports/many.ts";
import { makeExport } from "../transfer/imports/trello-export.ts";
import { freshDatabase } from "../support/database.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { importEnd } from "./import-end.ts";
import { clientOf, settle } from "./service-client.ts";
import { startBuilt } from "./service-process.ts";
import { holdSteps } from "./steps.ts";

const exported = 5_000;
/** They are written in many transactions. */
const imported = 1_600;

test("a stop ends a running export, and a running import continues after the next start", async () => {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const dataDir = await temporaryDirectory();
  const env = { DATABASE_URL: database.url, LOG_LEVEL: "error" };
  let service = await startBuilt(dataDir, env);
  const home = await settle(service.url);
  const call = clientOf(() => service.url, home.token);
  const [{ workspace }] = (await call("GET", "/workspaces")).body;
  const db = await openDatabase(database.url, 2, pino({ level: "silent" }));
  onTestFinished(db.close);
  const headers = { Authorization: `Bearer ${home.token}` };

  // The response exceeds the connection's buffers, uncompressed; the client stops reading.
  await fill({ db }, home.lists[0] ?? "", { cards: exported, comments: 6, items: 3, events: 4 });
  const path = `/api/v1/workspaces/${workspace.publicId}/export`;
  const plain = { ...headers, "Accept-Encoding": "identity" };
  const { body, status } = await fetch(service.url + path, { headers: plain });
  const reader = body?.getReader();
  expect([status, (await reader?.read())?.done]).toEqual([200, false]);

  const steps = await holdSteps(database.url, "cards");
  const file = JSON.stringify(makeExport({ cards: imported }));
  const to = `${service.url}/api/v1/imports/trello/file?workspacePublicId=${workspace.publicId}`;
  const sent = await fetch(to, { method: "POST", headers, body: file });
  const { publicId } = (await sent.json()) as { publicId: string };
  const made = async () => {
    const rows = await db.read<{ made: number }>(
      sql`SELECT count(*)::int AS made FROM imported_items WHERE kind = 'card'`,
    );
    return rows[0]?.made ?? 0;
  };
  while ((await made()) === 0) await steps.next();
  service.kill("SIGTERM");
  const isReady = () =>
    call("GET", "/readyz").then(
      ({ status: ready }) => ready === 200,
      () => false,
    );
  while (await isReady());
  await steps.release();
  expect(await service.ended, service.output()).toBe(0);
  expect(await made()).toBeLessThan(imported);

  let tail = "";
  const readOn = async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      tail = (tail + Buffer.from(value ?? []).toString("latin1")).slice(-100);
    }
  };
  await expect(readOn()).rejects.toThrow();
  expect(tail).not.toContain('"complete":');

  service = await startBuilt(dataDir, env);
  const read = async () => (await call("GET", `/imports/${publicId}`)).body;
  const done = await importEnd(read);
  expect(done.status).toBe("completed");
  expect(await made()).toBe(imported);
  expect(done.counts).toContainEqual(
    expect.objectContaining({ kind: "card", created: imported, leftOut: 0 }),
  );
});
