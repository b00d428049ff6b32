import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { steps } from "../../src/app/jobs/purge-steps.ts";

test("the table of what grows names every table that the purge ends by its age", async () => {
  const page = await readFile("docs/operating.md", "utf8");
  const section = /^## What grows$([^]*?)^## /m.exec(page)?.[1] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  const named = new Set(rows.flatMap((row) => row.match(/`\w+`/g) ?? []));
  const byAge = steps.filter(({ age }) => age !== "trash").map(({ table }) => `\`${table}\``);
  expect(byAge.length).toBeGreaterThan(15);
  expect(byAge.filter((table) => !named.has(table))).toEqual([]);
});
