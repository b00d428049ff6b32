import { expect, test } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { useApp } from "../../support/app.ts";
import { addHistory } from "./history.ts";
import { hooked, local } from "./hook.ts";

const app = useApp({ env: local, isolated: true });

const events = 1_500_000;

test(
  `webhook.replay finds the events of the last minute among ${events.toLocaleString("en")}`,
  { timeout: 400_000 },
  async () => {
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
