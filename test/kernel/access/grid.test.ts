import { expect, test } from "vitest";
import { operations } from "./call.ts";
import { testGrid } from "./grid.ts";
import { ungrouped } from "./groups.ts";
import { representatives } from "./representatives.ts";

// One persona of each equivalence class. grid-*.long.test.ts has all personas.
testGrid(operations, representatives);

test("every operation is in a group of the full grid", () => {
  expect(ungrouped()).toEqual([]);
});
