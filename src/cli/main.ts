#!/usr/bin/env node
import { stripVTControlCharacters } from "node:util";
import { runCommand } from "citty";
import { version } from "../platform/version.ts";
import { wbs } from "./commands.ts";
import { wantsColour } from "./config.ts";
import { CliFailure, exits, outputFailure } from "./failure.ts";
import { meant, nameOf, usageOf } from "./help.ts";
import { print, printStatus } from "./progress.ts";

const args = meant(process.argv.slice(2));

async function main(): Promise<number> {
  const isAsked = args.some((arg) => arg === "--help" || arg === "-h");
  if (isAsked || args.length === 0) {
    const usage = await usageOf(args);
    print(process.stdout.isTTY && wantsColour() ? usage : stripVTControlCharacters(usage));
    return isAsked ? 0 : exits.usage;
  }
  if (args[0] === "--version") {
    print(version);
    return 0;
  }
  await runCommand(wbs, { rawArgs: args });
  return 0;
}

// A reader such as `head` may close the output early, and a disk may be full.
process.stdout.on("error", (error) => {
  const failure = outputFailure(error, "Standard output");
  if (!(failure instanceof CliFailure)) throw error;
  printStatus(failure.message);
  process.exit(failure.exit);
});

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof Error && error.name === "CLIError";
  const message = error instanceof Error ? error.message : String(error);
  printStatus(process.stderr.isTTY && wantsColour() ? message : stripVTControlCharacters(message));
  if (isUsage) printStatus(`Usage: ${await nameOf(args)} --help`);
  process.exitCode =
    error instanceof CliFailure ? error.exit : isUsage ? exits.usage : exits.failed;
}
