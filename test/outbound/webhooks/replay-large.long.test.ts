import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { useRowsRead } from "../../support/rows-read.ts";
import { addHistory } from "./history.ts";
import { hooked, local } from "./hook.ts";

const app = useApp({ env: local, isolated: true });
const readsOf = useRowsRead("events");

const events = 100_000;

test(`webhook.replay reads only the events of the last minute among ${events.toLocaleString("en")}`, async () => {
  const { workspace, admin, hook, add } = await hooked(app());
  await addHistory(app(), workspace.publicId, events);
  for (let count = 0; count < 5; count++) await add();
  const since = new Date(app().deps.clock().getTime() - 60_000).toISOString();
  for (const analyzed of [false, true]) {
    if (analyzed) await app().db.write(sql`ANALYZE events`);
    for (const [onlyFailed, expected] of [
      [false, 59],
      [true, 0],
    ] as const) {
      const reads = await readsOf(app(), async () => {
        const reply = await admin.rest.post(`${hook.path}/replay`, { since, onlyFailed });
        expect(reply.status).toBe(200);
        expect(reply.body.queued).toBeGreaterThanOrEqual(analyzed ? 0 : expected);
      });
      expect(reads.length).toBeGreaterThan(0);
      for (const { text, rows } of reads) expect(rows, text).toBeLessThan(1_000);
    }
  }
});
