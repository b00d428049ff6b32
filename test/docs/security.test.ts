import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const page = ["SECURITY.md", "docs/security-checklist.md"]
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/** The cells of the rows of a section's table. */
function rowsOf(heading: string): string[][] {
  const section = page.split(/^## /m).find((one) => one.startsWith(heading)) ?? "";
  return section
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^\|[\s|:-]*$/.test(line))
    .slice(1)
    .map((line) => line.slice(1, -1).split("|"))
    .map((cells) => cells.map((cell) => cell.trim()));
}

test("every file that the pages on security name exists", () => {
  const named = [...page.matchAll(/`((?:test|src|docs|scripts)\/[^`]+)`/g)].map(([, file]) => file);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((file) => file === undefined || !existsSync(file))).toEqual([]);
});

/** The text of a test file, with that of the files beside it that make its tests. */
function textOf(file: string): string {
  const text = readFileSync(file, "utf8");
  const beside = [...text.matchAll(/from "(\.\/[\w-]+\.ts)"/g)].map(([, name = ""]) => name);
  return [text, ...beside.map((name) => readFileSync(join(dirname(file), name), "utf8"))].join(
    "\n",
  );
}

/** The tests that a text names: their file, and their title where it has one. */
const namedTests = (text: string) =>
  [...text.matchAll(/`(test\/[^`]+\.test\.ts)`(?: “([^”]+)”)?/g)].map(([, file = "", title]) => ({
    file,
    title,
  }));

test("every test file that the pages name has tests, with the titles that they name", () => {
  const named = namedTests(page);
  const without = named.filter(({ file, title }) => {
    const text = textOf(file);
    const titles = [...text.matchAll(/\b(?:test|describe)(?:\.each)?\([^"`]*["`]/g)];
    return titles.length === 0 || (title !== undefined && !text.includes(title));
  });
  expect(without).toEqual([]);
  expect(named.filter(({ title }) => title !== undefined).length).toBeGreaterThan(40);
});

test("every test of a risk of the OWASP API Security Top 10 is named by its title", () => {
  const tests = rowsOf("OWASP API").flatMap(([, cell = ""]) => namedTests(cell));
  expect(tests.filter(({ title }) => title === undefined)).toEqual([]);
});

test("every risk of the OWASP API Security Top 10 has tests", () => {
  const rows = rowsOf("OWASP API");
  expect(rows.map(([risk = ""]) => risk.split(" ")[0])).toEqual(
    Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
  );
  for (const [risk, tests] of rows) expect(tests, risk).toMatch(/`test\//);
});

test("every item of ASVS 5.0 levels 1 and 2 has a test or a reason, once", () => {
  const items = readFileSync("test/docs/asvs-5.0-levels-1-2.txt", "utf8").trim().split("\n");
  const rows = rowsOf("OWASP ASVS").filter(([first = ""]) => !first.startsWith("**"));
  for (const [item, subject, response] of rows) {
    expect(subject, item).toMatch(/\S/);
    expect(response, item).toMatch(/\S/);
  }
  const answered = rows.flatMap(([list = ""]) => list.split(", "));
  expect(answered.toSorted()).toEqual(items.toSorted());
});
