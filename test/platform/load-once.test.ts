import { expect, test } from "vitest";
import { loadOnce } from "../../src/platform/load-once.ts";

test("a value is loaded once, and a load that failed is repeated", async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads++;
    if (loads === 1) throw new Error("The file is missing.");
    return loads;
  });
  await expect(load()).rejects.toThrow("The file is missing.");
  expect(await Promise.all([load(), load()])).toEqual([2, 2]);
  expect(await load()).toBe(2);
});
