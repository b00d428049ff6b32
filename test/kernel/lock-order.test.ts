import { expect, test } from "vitest";
import { batchable } from "../../src/app/router/batch.ts";
import { tableOf } from "../../src/kernel/access/resources.ts";
import { lockOrder } from "../../src/kernel/procedures/lock-batch.ts";
import { useLocks, type Taken } from "../support/locks.ts";
import { apisOf, operations, send, writes } from "./access/call.ts";
import { inputs } from "./access/inputs.ts";
import { text } from "./access/targets.ts";
import { adminKey, useWorld } from "./access/world.ts";

const world = useWorld();
const locksOf = useLocks();

const tables: string[] = lockOrder.map((kind) => tableOf(kind).table);
/** The tables of what is on a card: its lock is theirs. */
const onCards = ["card_members", "card_labels", ...tables.slice(1, tables.indexOf("labels"))];
const order = ["users", "cards", ...onCards, ...tables.slice(tables.indexOf("labels"))];

/** The tables whose rows an insert locks by a trigger. */
const lockedByInsert: Record<string, string> = { card_members: "cards" };

/** The locks that a transaction waits for: not those of rows that it has inserted. */
function waitsOf(transaction: Taken[]): Taken[] {
  const made = new Set<string>();
  return transaction.flatMap((taken) => {
    const { by } = taken;
    const table = by === "insert" ? lockedByInsert[taken.table] : taken.table;
    if (by === "insert") made.add(taken.table);
    if (table === undefined || !order.includes(table)) return [];
    return made.has(table) ? [] : [{ ...taken, table }];
  });
}

/** What a transaction does against the order of locks. */
function faultsOf(transaction: Taken[]): string[] {
  const locked: string[] = [];
  return waitsOf(transaction).flatMap(({ table, by, rows, isOrdered, text: statement }) => {
    if (locked.includes(table)) return [];
    const above = locked.find((one) => order.indexOf(one) > order.indexOf(table));
    const isUnderCard = onCards.includes(table) && locked.includes("cards");
    const isMany = by === "write" ? (rows() ?? 0) > 1 : !isOrdered;
    locked.push(table);
    return [
      ...(above === undefined || isUnderCard ? [] : [`${table} after ${above}: ${statement}`]),
      ...(isMany && !isUnderCard ? [`${table} without an order: ${statement}`] : []),
    ];
  });
}

test.each(operations.filter(writes))("%s locks in the one order", async (operation) => {
  const { app, estate } = world();
  const target = await inputs[operation](world(), estate.admin);
  const token = target.token ?? estate.admin.token;
  const [api] = apisOf(operation);
  const transactions = await locksOf(async () => {
    const headers = { "X-Admin-Key": adminKey };
    const answer = await send(app, api, operation, target.input, token, headers);
    expect(answer.status, answer.text).toBe(200);
  });
  await target.undo?.();
  expect(transactions.flatMap(faultsOf)).toEqual([]);
});

const batched = operations.filter(
  (name) => Object.hasOwn(batchable, name) && name !== "workspace.restore",
);

test.each(batched)("%s locks in the one order after a change of the workspace", async (name) => {
  const { app, estate } = world();
  const { workspace: workspacePublicId } = estate.ids;
  const { input, undo } = await inputs[name](world(), estate.admin);
  const change = { operation: "workspace.update", input: { workspacePublicId, name: text() } };
  const calls = { workspacePublicId, operations: [change, { operation: name, input }] };
  const transactions = await locksOf(async () => {
    const answer = await send(app, "REST", "workspace.batch", calls, estate.admin.token);
    expect(answer.status, answer.text).toBe(200);
  });
  await undo?.();
  expect(transactions.flatMap(faultsOf)).toEqual([]);
});
