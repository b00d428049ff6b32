import { expect, test } from "vitest";
import { eventTypes } from "../../src/contract/events.ts";
import { useApp } from "../support/app.ts";
import { patchOf } from "../../src/client/store/reducer.ts";
import { runModel } from "./sync/run.ts";
import { readPatchTable } from "./sync/table.ts";

const app = useApp();

test("the client's store applies each type of event as the patch table says", async () => {
  const table = await readPatchTable();
  expect([...table.keys()].toSorted()).toEqual([...eventTypes].toSorted());
  const applied = eventTypes.map((type): [string, string] => [type, patchOf(type)]);
  expect(Object.fromEntries(applied)).toEqual(Object.fromEntries(table));
});

test(
  "copies that are patched by events alone equal a fresh read",
  { timeout: 60_000 },
  async () => {
    const seed = Number(process.env["SYNC_SEED"] ?? Date.now() % 1_000_000);
    const count = Number(process.env["SYNC_COUNT"] ?? 60);
    expect(await runModel(app(), seed, count)).toHaveLength(count);
  },
);
