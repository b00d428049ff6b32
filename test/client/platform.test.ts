import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Pages on plain http outside localhost lack what browsers offer to secure pages only.
const secureOnly = /\b(?:randomUUID|subtle|serviceWorker|caches|clipboard|credentials\.get)\b/;

/** Files that run on servers only: secrets of webhooks stay there. */
const onServers = new Set(["webhooks.ts"]);

const folder = "src/client";
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .filter((file) => !file.startsWith("server") && !onServers.has(file));

test.each(files)("src/client/%s runs on pages that are not secure", (file) => {
  expect(readFileSync(join(folder, file), "utf8")).not.toMatch(secureOnly);
});

test("locks of tabs are used where they exist", () => {
  const users = files.filter((file) => /\blocks\b/.test(readFileSync(join(folder, file), "utf8")));
  expect(users).toEqual(["session-store.ts"]);
});
