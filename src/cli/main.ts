#!/usr/bin/env node
import { stripVTControlCharacters } from "node:util";
import { renderUsage, runCommand, type CommandDef } from "citty";
import { version } from "../platform/version.ts";
import { wbs } from "./commands.ts";
import { wantsColour } from "./config.ts";
import { CliFailure, exits, outputFailure } from "./failure.ts";
import { print, printStatus } from "./progress.ts";

const rawArgs = process.argv.slice(2);
// `wbs help import` is `wbs import --help`.
const args = rawArgs[0] === "help" ? [...rawArgs.slice(1), "--help"] : rawArgs;

/** The command or subcommand that the arguments name. */
async function findCommand(command: CommandDef, names: string[]): Promise<CommandDef> {
  const subs = await (typeof command.subCommands === "function"
    ? command.subCommands()
    : command.subCommands);
  // Options may precede the name.
  const at = names.findIndex((name) => Object.hasOwn(subs ?? {}, name));
  const sub = subs?.[names[at] ?? ""];
  if (sub === undefined) return command;
  return findCommand(await (typeof sub === "function" ? sub() : sub), names.slice(at + 1));
}

/** The name of a command, such as `wbs import trello`. */
async function nameOf(command: Promise<CommandDef>): Promise<string | undefined> {
  const { meta } = await command;
  return (await (typeof meta === "function" ? meta() : meta))?.name;
}

async function main(): Promise<number> {
  const isAsked = args.some((arg) => arg === "--help" || arg === "-h");
  if (isAsked || args.length === 0) {
    const usage = await renderUsage(await findCommand(wbs, args));
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
  if (isUsage) printStatus(`Usage: ${(await nameOf(findCommand(wbs, args))) ?? "wbs"} --help`);
  process.exitCode =
    error instanceof CliFailure ? error.exit : isUsage ? exits.usage : exits.failed;
}
