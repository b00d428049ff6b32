import { renderUsage, type CommandDef } from "citty";
import { wbs } from "./commands.ts";

/** The arguments that are meant: `wbs help import` is `wbs import --help`. */
export const meant = (args: string[]): string[] =>
  args[0] === "help" ? [...args.slice(1), "--help"] : args;

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

/** How the command that the arguments name is used; coloured. */
export const usageOf = async (args: string[]): Promise<string> =>
  renderUsage(await findCommand(wbs, args));

/** The name of the command that the arguments name, such as `wbs import trello`. */
export async function nameOf(args: string[]): Promise<string> {
  const { meta } = await findCommand(wbs, args);
  return (await (typeof meta === "function" ? meta() : meta))?.name ?? "wbs";
}
