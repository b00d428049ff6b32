import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { atThisPace } from "../support/pace.ts";

/** The CPU time of the longest iteration of the event loop, in ms. */
const longest = 100;

/** The bundled modules of the programs. */
const folder = resolve("dist/start");
/** `pino-pretty` is loaded with the log. */
const atStart = new Set(["pino-pretty"]);

/** What follows an expression in the code of a bundle. */
const named = (file: string, expression: RegExp) =>
  [...readFileSync(file, "utf8").matchAll(expression)].map(([, from = ""]) =>
    from.startsWith(".") ? join(folder, from) : from,
  );
const dynamic = /\bimport\("([^"]+)"\)/g;

const isService = (file: string) => basename(file).startsWith("service-");
const service = named(join(folder, "main.js"), dynamic).find(isService) ?? "";

/** What is loaded at its first use, by the service or by what it has loaded so: packages and files. */
function findLazy(): string[] {
  const [seen, lazy] = [new Set<string>(), new Set<string>()];
  const files = [service];
  for (const file of files) {
    if (seen.has(file) || !file.startsWith(folder)) continue;
    seen.add(file);
    const later = named(file, dynamic).filter((name) => !atStart.has(name));
    for (const name of later) lazy.add(name);
    files.push(...named(file, /^(?:import |.* from |\} from )"([^"]+)"/gm), ...later);
  }
  return [...lazy];
}
const lazy = findLazy();

/** Loads the start, and then measures the longest iteration while a module is loaded. */
const program = (module: string) => `
  await import(${JSON.stringify(service)});
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
  for (const module of lazy) stalls[relative(folder, module)] = await stallOf(module);
  const limit = atThisPace(longest);
  const slow = Object.entries(stalls).filter(([, ms]) => ms > limit);
  expect({ slow, stalls }).toEqual({ slow: [], stalls });
});
