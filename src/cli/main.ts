#!/usr/bin/env node
import { stripVTControlCharacters } from "node:util";
import { renderUsage, runCommand, type CommandDef } from "citty";
import { version } from "../version.ts";
import { wbs } from "./commands.ts";
import { CliFailure, exits } from "./failure.ts";
import { print, say } from "./progress.ts";

const args = process.argv.slice(2);

/** The command that the arguments name, as far as they name one. */
async function named(): Promise<[CommandDef, CommandDef | undefined]> {
  let command: CommandDef = wbs;
  let parent: CommandDef | undefined;
  for (const name of args) {
    const subs = typeof command.subCommands === "object" ? await command.subCommands : undefined;
    if (subs === undefined || !(name in subs)) break;
    [parent, command] = [command, await Promise.resolve(subs[name] as CommandDef)];
  }
  return [command, parent];
}

async function main(): Promise<number> {
  const isAsked = args.some((arg) => arg === "--help" || arg === "-h");
  if (isAsked || args.length === 0) {
    const usage = await renderUsage(...(await named()));
    print(process.stdout.isTTY ? usage : stripVTControlCharacters(usage));
    return isAsked ? 0 : exits.usage;
  }
  if (args[0] === "--version") {
    print(version);
    return 0;
  }
  await runCommand(wbs, { rawArgs: args });
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof Error && error.name === "CLIError";
  const message = error instanceof Error ? error.message : String(error);
  say(process.stderr.isTTY ? message : stripVTControlCharacters(message));
  if (isUsage) say(`wbs --help shows how it is used.`);
  process.exitCode =
    error instanceof CliFailure ? error.exit : isUsage ? exits.usage : exits.failed;
}
