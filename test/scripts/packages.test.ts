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

/** The path of a package that a package at `from` finds, as Node.js looks it up. */
function resolve(
  packages: Record<string, unknown>,
  from: string,
  name: string,
): string | undefined {
  const path = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (Object.hasOwn(packages, path)) return path;
  return from === ""
    ? undefined
    : resolve(packages, from.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ""), name);
}

test("the lock file has the optional packages of all platforms", () => {
  const { packages } = read("package-lock.json");
  const optional = Object.entries<{ optionalDependencies?: object }>(packages).flatMap(
    ([from, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [from, name] as const),
  );
  const platforms = Object.values<{ os?: string[] }>(packages).flatMap(({ os = [] }) => os);
  expect(platforms).toEqual(expect.arrayContaining(["linux", "darwin", "win32"]));
  expect(optional.filter(([from, name]) => resolve(packages, from, name) === undefined)).toEqual(
    [],
  );
});
