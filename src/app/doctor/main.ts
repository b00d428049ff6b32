import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { examine } from "./examine.ts";
import type { Reported } from "./finding.ts";

// `wbs doctor`: says what is wrong with an installation and what to do. Ends with 1 if something is.

const isJson = process.argv.includes("--json");
const signs = { ok: "ok     ", warning: "warning", fault: "FAULT  " } as const;

function print(reported: Reported): void {
  if (isJson) return void process.stdout.write(`${JSON.stringify(reported)}\n`);
  const { check, level, text, advice } = reported;
  const lines = [`${signs[level]} ${check}: ${text}`, ...(advice ? [`        ${advice}`] : [])];
  process.stdout.write(`${lines.join("\n")}\n`);
}

const envFile = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
if (existsSync(".env")) process.loadEnvFile(".env");
const counts = { ok: 0, warning: 0, fault: 0 };
for await (const reported of examine({ env: process.env, envFile, now: () => new Date() })) {
  counts[reported.level]++;
  print(reported);
}
if (!isJson)
  process.stdout.write(`\n${counts.fault} faults, ${counts.warning} warnings, ${counts.ok} ok\n`);
process.exit(counts.fault > 0 ? 1 : 0);
