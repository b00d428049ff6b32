import { expect, test } from "vitest";
import { oneApiOf, operations } from "./call.ts";
import { testGrid } from "./grid.ts";
import { ungrouped } from "./groups.ts";
import { representatives } from "./representatives.ts";

// One persona of each equivalence class, over one API. grid-*.long.test.ts has all personas over
// both APIs.
testGrid(operations, representatives, oneApiOf);

test("every operation is in a group of the full grid", () => {
  expect(ungrouped()).toEqual([]);
});
