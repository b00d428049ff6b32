import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** The CPU time of the longest iteration of the event loop, in ms. */
const longest = 100;

/** Loaded by the start, by a command, or in a browser: no request waits for them. */
const beforeRequests = ["src/main.ts", "src/cli/", "src/client/", "src/demo/"];
/** Migrations run before the service listens; `pino-pretty` is loaded with the log. */
const atStart = new Set(["./schema-engine.ts", "pino-pretty"]);

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.includes("generated"))
  .map((path) => `src/${path}`)
  .filter((path) => !beforeRequests.some((prefix) => path.startsWith(prefix)));

/** What is loaded at its first use: packages, and files of the build. */
const lazy = [
  ...new Set(
    sources.flatMap((path) => {
      const code = readFileSync(path, "utf8").replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
      return [...code.matchAll(/await import\("([^"]+)"\)/g)].flatMap(([, from = ""]) => {
        if (atStart.has(from)) return [];
        if (!from.startsWith(".")) return from;
        const built = relative("src", join(dirname(path), from)).replace(/\.ts$/, ".js");
        return resolve("dist", built);
      });
    }),
  ),
];

/** Loads the start, and then measures the longest iteration while a module is loaded. */
const program = (module: string) => `
  await import(${JSON.stringify(resolve("dist/app/service.js"))});
  const { createStallMeter } = await import(${JSON.stringify(resolve("test/bench/stall-meter.mjs"))});
  const { setTimeout: pause } = await import("node:timers/promises");
  const stalls = createStallMeter();
  await pause(20);
  await stalls.longest();
  await import(${JSON.stringify(module)});
  await pause(20);
  console.log(Math.round((await stalls.longest()).ms));
  process.exit(0);`;

async function stallOf(module: string): Promise<number> {
  const options = ["--input-type=module", "--eval", program(module)];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  return Number(stdout);
}

test("no module that is loaded at its first use holds the event loop", async () => {
  expect(lazy.length).toBeGreaterThan(8);
  const stalls: Record<string, number> = {};
  for (const module of lazy) stalls[relative("dist", module)] = await stallOf(module);
  const slow = Object.entries(stalls).filter(([, ms]) => ms > longest);
  expect({ slow, stalls }).toEqual({ slow: [], stalls });
});
