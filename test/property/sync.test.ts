import { expect, test } from "vitest";
import { eventTypes } from "../../src/contract/events.ts";
import { useApp } from "../support/app.ts";
import { patchOf } from "../../src/client/store/reducer.ts";
import { linePatches } from "./sync/line-patches.ts";
import { runModel } from "./sync/run.ts";
import { readPatchTable } from "./sync/table.ts";

// It runs the jobs of imports.
const app = useApp({ isolated: true });
const seed = Number(process.env["SYNC_SEED"] ?? 1);

test("the client's store applies each type of event as the patch table says", async () => {
  const table = await readPatchTable("boards");
  expect([...table.keys()].toSorted()).toEqual([...eventTypes].toSorted());
  // Each patch of the table is one function, and no other patch.
  const functions = new Map<string, Set<unknown>>();
  for (const [type, name] of table) {
    functions.set(name, (functions.get(name) ?? new Set()).add(patchOf(type)));
  }
  expect([...functions.values()].map(({ size }) => size)).toEqual(Array(functions.size).fill(1));
  expect(new Set([...functions.values()].flatMap((all) => [...all])).size).toBe(functions.size);
  expect(functions.get("nothing")).toEqual(new Set([undefined]));
});

test("the table of snapshots names events and patches that exist", async () => {
  const table = await readPatchTable("snapshots");
  expect(eventTypes).toEqual(expect.arrayContaining([...table.keys()]));
  expect(new Set(table.values())).toEqual(new Set(Object.keys(linePatches)));
});

test(`copies equal a fresh snapshot, seed ${seed}`, { timeout: 120_000 }, async () => {
  const count = Number(process.env["SYNC_COUNT"] ?? 40);
  expect(await runModel(app(), seed, count)).toHaveLength(count);
});
