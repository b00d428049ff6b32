import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ruleOf, type Operation } from "../../../src/contract/policy.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { send, apisOf, operations, writes } from "../access/call.ts";
import { inputs } from "../access/inputs.ts";
import { adminKey, useWorld } from "../access/world.ts";
import { statementOf } from "../../support/statement-of.ts";
import { addUncountedTable, removeUncountedTable } from "../../support/uncounted-table.ts";

const world = useWorld();

// Each event has many deliveries: what is derived outweighs what is sent.
beforeAll(async () => {
  const { estate, receiver } = world();
  const path = `/workspaces/${estate.ids.workspace}/webhooks`;
  for (let nth = 0; nth < 100; nth++) {
    const body = { name: `Webhook ${nth}`, url: receiver.url, events: ["*"] };
    await estate.admin.rest.post(path, body);
  }
});

/** The bytes of the rows of every table. */
async function sizes(): Promise<Map<string, number>> {
  const { db } = world().app;
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

/** By how many bytes each table grows in a run. */
async function growthIn(run: () => Promise<void>): Promise<Record<string, number>> {
  const before = await sizes();
  await run();
  const after = await sizes();
  const grown = [...after].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, bytes]) => bytes > 0));
}

let counted = 0;

// What the limits count; they count it all the same.
beforeAll(() => {
  const { limits } = world().app.deps;
  const { stored, texts } = limits;
  const { spend } = texts;
  limits.stored = (user, bytes) => ((counted += bytes), stored(user, bytes));
  texts.spend = (user, bytes) => ((counted += bytes), spend.call(texts, user, bytes));
});

async function storedBy(operation: Operation) {
  const { app, estate } = world();
  const { undo, token, input } = await inputs[operation](world(), estate.admin);
  counted = 0;
  const growth = await growthIn(async () => {
    const [api = "REST"] = apisOf(operation);
    const headers = { "X-Admin-Key": adminKey, "Idempotency-Key": randomUUID() };
    const answer = await send(app, api, operation, input, token ?? estate.admin.token, headers);
    expect(answer.status, answer.text).toBe(200);
  });
  const during = counted;
  await undo?.();
  return { growth, counted: during };
}

const sumOf = (growth: Record<string, number>) =>
  Object.values(growth).reduce((sum, bytes) => sum + bytes, 0);

// A public operation counts for the network of its client.
const isOfUser = (name: Operation) => !["public", "operator"].includes(ruleOf(name).on);

test.each(operations.filter(writes).filter(isOfUser))(
  "%s stores no more than what counts for its caller",
  async (operation) => {
    const { growth, counted: bytes } = await storedBy(operation);
    expect(sumOf(growth), JSON.stringify({ growth, bytes })).toBeLessThanOrEqual(bytes);
  },
);

test("rows in a table that is not counted are noticed", async () => {
  await addUncountedTable(world().app);
  const { growth, counted: bytes } = await storedBy("card.update");
  expect(growth["uncounted"]).toBeGreaterThan(0);
  expect(sumOf(growth)).toBeGreaterThan(bytes);
});

afterAll(() => removeUncountedTable(world().app));
