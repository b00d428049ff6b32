import { beforeAll, expect } from "vitest";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";
import { activateWebhooks, silenceWebhooks } from "../../support/state.ts";
import { statementOf } from "../../support/statement-of.ts";
import { addUncountedTable, removeUncountedTable } from "../../support/uncounted-table.ts";
import { apisOf, writes } from "../access/call.ts";
import type { World } from "../access/world.ts";
import type { Observer } from "./walk.ts";

/** The bytes of the rows of every table. */
async function sizesIn({ db }: App): Promise<Map<string, number>> {
  const tables = await db.read<{ name: string }>(
    sql`SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const each = tables.map(
    ({ name }) => `SELECT '${name}' AS name, sum(pg_column_size(t.*)) AS bytes FROM "${name}" t`,
  );
  const rows = await db.read<{ name: string; bytes: bigint | null }>(
    statementOf(each.join(" UNION ALL ")),
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes ?? 0)]));
}

/** By how many bytes each table has grown. */
function growthOf(before: Map<string, number>, after: Map<string, number>): Record<string, number> {
  const grown = [...after].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, bytes]) => bytes > 0));
}

const sumOf = (growth: Record<string, number>) =>
  Object.values(growth).reduce((sum, bytes) => sum + bytes, 0);

/** Notes the bytes that count for users; the limits count them all the same. */
function noteCounted({ deps }: App, note: (bytes: number) => void): void {
  const { limits } = deps;
  const { stored, texts } = limits;
  const { spend } = texts;
  limits.stored = (user, bytes) => (note(bytes), stored(user, bytes));
  texts.spend = (user, bytes) => (note(bytes), spend.call(texts, user, bytes));
}

// A public operation counts for the network of its client.
const isOfUser = (name: Operation) => !["public", "operator"].includes(ruleOf(name).on);

/** A write stores no more than what counts for its caller. */
export function storesWhatCounts(world: () => World): Observer {
  let counted = 0;
  let before = new Map<string, number>();
  const webhooks = () => `${world().receiver.url}stored`;

  // Each event has many deliveries: what is derived outweighs what is sent.
  beforeAll(async () => {
    const { app, fixtures } = world();
    noteCounted(app, (bytes) => (counted += bytes));
    for (let nth = 0; nth < 100; nth++) {
      await fixtures.admin.rest.post(`/workspaces/${fixtures.ids.workspace}/webhooks`, {
        name: `Webhook ${nth}`,
        url: webhooks(),
        events: ["*"],
      });
    }
    await silenceWebhooks(app, webhooks());
  });

  async function start() {
    await activateWebhooks(world().app, webhooks());
    before = await sizesIn(world().app);
    counted = 0;
  }

  async function noticed() {
    const bytes = counted;
    const growth = growthOf(before, await sizesIn(world().app));
    await silenceWebhooks(world().app, webhooks());
    return { growth, stored: sumOf(growth), bytes };
  }

  return {
    name: "stores no more than what counts for its caller",
    watches: (operation, api) =>
      api === apisOf(operation)[0] && writes(operation) && isOfUser(operation),
    before: start,
    async after() {
      const { growth, stored, bytes } = await noticed();
      expect(stored, JSON.stringify({ growth, bytes })).toBeLessThanOrEqual(bytes);
    },
    ends: {
      async "rows in a table that is not counted are noticed"() {
        const { app, fixtures } = world();
        const { rest } = fixtures.admin;
        await addUncountedTable(app);
        await start();
        const { status } = await rest.put(`/cards/${fixtures.ids.card}`, {
          title: "Another title",
        });
        const { growth, stored, bytes } = await noticed();
        await removeUncountedTable(app);
        expect(status).toBe(200);
        expect(growth["uncounted"]).toBeGreaterThan(0);
        expect(stored).toBeGreaterThan(bytes);
      },
    },
  };
}
