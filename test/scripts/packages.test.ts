import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string) => JSON.parse(readFileSync(name, "utf8"));

/** Packages that report installations. */
const reporting = ["@scarf/scarf"];

test("no package of a production install reports installations", () => {
  const { packages } = read("package-lock.json");
  const installed = Object.entries<{ dev?: boolean }>(packages)
    .filter(([, { dev }]) => dev !== true)
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(installed.length).toBeGreaterThan(50);
  for (const name of reporting) expect(installed).not.toContain(name);
});

test("in a development install they are switched off", () => {
  const { allowScripts, scarfSettings } = read("package.json");
  for (const name of reporting) expect(allowScripts[name]).toBe(false);
  expect(scarfSettings).toEqual({ enabled: false });
});
