import { expect, test } from "vitest";
import { oneApiOf, operations } from "./call.ts";
import { testGrid } from "./matrix.ts";
import { ungrouped } from "./groups.ts";
import { representatives } from "./representatives.ts";

// One actor of each equivalence class, over one API. matrix-*.long.test.ts has all actors over
// both APIs.
testGrid(operations, representatives, oneApiOf);

test("every operation is in a group of the full matrix", () => {
  expect(ungrouped()).toEqual([]);
});
