import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { counted, defaultLimits } from "../../src/contract/limits.ts";

const rowsOf = (page: string) =>
  [...page.matchAll(/^\| (\w+) +\| `(\w+)` +\| ([\d,]+) +\| (.*?) +\|$/gm)].map(
    ([, per, name, most, counts]) => ({ per, name, most, counts }),
  );

test("docs/limits.md says what each limit counts, per which resource, and its default", async () => {
  const expected = Object.entries(counted).map(([name, { per, counts }]) => {
    const most = Object.entries(defaultLimits).find(([one]) => one === name)?.[1];
    return { per, name, most: most?.toLocaleString("en"), counts };
  });
  expect(rowsOf(await readFile("docs/limits.md", "utf8"))).toEqual(expected);
});
