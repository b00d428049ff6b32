import { expect, test } from "vitest";
import { setClock } from "../../../src/kernel/events/log.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { hooked, local } from "./hook.ts";

const app = useApp({ env: local, isolated: true });

const events = 1_500_000;

/** Adds one event per second before now, three in each transaction. */
async function addHistory(workspacePublicId: string): Promise<void> {
  await app().db.transact(async (_, query) => {
    await query(sql`SET LOCAL statement_timeout = 0`);
    await query(sql`INSERT INTO events ("publicId", "workspaceId", type, "actorType", "actorName",
        data, "transactionId", "createdAt")
      SELECT 'past' || n, w.id, 'card.updated', 'system', 'system', '{"card": {"title": "Card"}}',
        1000000 + n / 3,
        ${app().deps.clock()}::timestamptz - (${events} - n) * interval '1 second'
      FROM workspaces w, generate_series(1, ${events}::int) AS n
      WHERE w."publicId" = ${workspacePublicId}`);
  });
  await setClock(app().db.write);
}

test(
  `webhook.replay finds the events of the last minute among ${events.toLocaleString("en")}`,
  { timeout: 400_000 },
  async () => {
    const { workspace, admin, hook, add } = await hooked(app());
    await addHistory(workspace.publicId);
    for (let count = 0; count < 5; count++) await add();
    const since = new Date(app().deps.clock().getTime() - 60_000).toISOString();
    for (const analyzed of [false, true]) {
      if (analyzed) await app().db.write(sql`ANALYZE events`);
      for (const [onlyFailed, expected] of [
        [false, 59],
        [true, 0],
      ] as const) {
        const before = performance.now();
        const reply = await admin.rest.post(`${hook.path}/replay`, { since, onlyFailed });
        const ms = performance.now() - before;
        expect(reply.status).toBe(200);
        expect(reply.body.queued).toBeGreaterThanOrEqual(analyzed ? 0 : expected);
        expect(ms).toBeLessThan(2_000);
      }
    }
  },
);
