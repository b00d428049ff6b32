import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";

const app = useApp();

const read = async (path: string) => {
  const response = await app().fetch(new Request(`http://localhost${path}`));
  expect(response.status, path).toBe(200);
  expect(response.headers.get("Content-Type")).toMatch(/^text\/markdown/);
  return response.text();
};

test("/llms.txt has a line for each operation, and links to guides that can be read", async () => {
  const lines = (await read("/llms.txt")).split("\n");
  const operations = app().deps.operations();
  for (const { name, method, path } of operations) {
    const line = lines.filter((one) => one.startsWith(`- ${name}: ${method} ${path}: `));
    expect(line, name).toHaveLength(1);
  }
  const { baseUrl } = app().deps;
  const links = lines.flatMap((line) => /^- \[.+\]\((.+)\)$/.exec(line)?.[1] ?? []);
  expect(links.length).toBeGreaterThan(15);
  for (const link of links) {
    expect(link.startsWith(baseUrl)).toBe(true);
    expect(await read(link.slice(baseUrl.length))).toMatch(/^# /);
  }
});

test("/llms-full.txt has operations, schemas and guides", async () => {
  const full = await read("/llms-full.txt");
  for (const { name } of app().deps.operations()) expect(full).toContain(`\n## ${name}: `);
  expect(full).toContain("\n## CardSummary\n");
  expect(full).toContain("\n# Quick start\n");
  expect(full).toContain("- title: string. The title.");
  expect(full).not.toMatch(/: undefined|\[object/);
  const missing = await app().fetch(new Request("http://localhost/docs/no-guide.md"));
  expect(missing.status).toBe(404);
});
