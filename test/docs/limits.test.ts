import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { counted, defaultLimits } from "../../src/contract/limits.ts";
import { Environment } from "../../src/platform/config.ts";

const rowsOf = (page: string) =>
  [...page.matchAll(/^\| (\w+) +\| `(LIMIT_\w+)` +\| ([\d,]+) +\| (.*?) +\|$/gm)].map(
    ([, per, setting, most, counts]) => ({ per, setting, most, counts }),
  );

test("docs/limits.md says what each limit counts, per which resource, and its default", async () => {
  const expected = Object.entries(counted).map(([name, { per, setting, counts }]) => {
    const most = Object.entries(defaultLimits).find(([one]) => one === name)?.[1];
    return { per, setting, most: most?.toLocaleString("en"), counts };
  });
  expect(rowsOf(await readFile("docs/limits.md", "utf8"))).toEqual(expected);
  const settings = Object.keys(Environment.shape).filter((name) => name.startsWith("LIMIT_"));
  expect(expected.map(({ setting }) => setting).toSorted()).toEqual(settings.toSorted());
});
