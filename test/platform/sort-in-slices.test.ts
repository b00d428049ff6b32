import fc from "../support/fast-check.ts";
import { expect, test } from "vitest";
import { sortInSlices } from "../../src/platform/sort-in-slices.ts";

test("items are sorted, and equal ones stay in their order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3_500 }),
      fc.integer({ min: 1, max: 50 }),
      async (count, keys) => {
        const items = Array.from({ length: count }, (_, nth) => ({
          key: (nth * 7_919) % keys,
          nth,
        }));
        const compare = (one: { key: number }, other: { key: number }) => one.key - other.key;
        expect(await sortInSlices(items, compare)).toEqual(items.toSorted(compare));
      },
    ),
    { numRuns: 30 },
  );
});
