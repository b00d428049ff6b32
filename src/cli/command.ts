import {
  defineCommand,
  type ArgsDef,
  type CommandContext,
  type CommandDef,
  type CommandMeta,
  type SubCommandsDef,
} from "citty";
import { z } from "zod";
import { createApi, type Api } from "./api.ts";
import { setConnection, type ConnectionSettings, type Flags } from "./config.ts";
import { CliFailure, exits } from "./failure.ts";
import { readConnection } from "./logins.ts";

const signals = ["SIGINT", "SIGTERM"] as const;

/** Runs a command that stops on its signal. A second interruption ends the process at once. */
export async function interruptible<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const exit = (name: (typeof signals)[number]) => (name === "SIGINT" ? exits.interrupted : 143);
  const listeners = new Map(
    signals.map((name) => [
      name,
      () => {
        if (stop.signal.aborted) process.exit(exit(name));
        stop.abort(new CliFailure(exit(name), "Interrupted."));
      },
    ]),
  );
  for (const [name, listener] of listeners) process.on(name, listener);
  try {
    return await run(stop.signal);
  } catch (error) {
    // An error after an interruption is a consequence of it.
    stop.signal.throwIfAborted();
    throw error;
  } finally {
    for (const [name, listener] of listeners) process.off(name, listener);
  }
}

/** The option for the address of the service. */
export const urlOption = {
  type: "string",
  description: "Address of the service (default: WBS_URL, else http://127.0.0.1:3000)",
  valueHint: "address",
} as const;

const connection = {
  url: urlOption,
  token: {
    type: "string",
    description: "API key (default: WBS_TOKEN, else the login of wbs login)",
    valueHint: "key",
  },
} as const satisfies ArgsDef;

/** A command of a group: each has its own options. */
type SubCommand = Awaited<Exclude<SubCommandsDef[string], () => unknown>>;

/**
 * A command with subcommands.
 *
 * The options for address and token may precede a subcommand that has them. Others would be lost.
 */
export function group(
  meta: CommandMeta,
  subCommands: Record<string, SubCommand>,
  options: { args?: ArgsDef; default?: string } = {},
): CommandDef {
  const args: ArgsDef = { ...options.args, ...connection };
  return defineCommand({
    meta,
    ...options,
    args,
    subCommands,
    async setup({ rawArgs, args: { url, token } }) {
      const at = indexOfCommand(rawArgs, args, subCommands);
      const name = rawArgs[at] ?? "";
      const subCommand = subCommands[name];
      if (at !== -1 && subCommand !== undefined) {
        checkArguments(rawArgs.slice(0, at), await connectionOf(subCommand), ` before ${name}`);
      }
      setConnection({ url, token });
    },
  });
}

/** The options for address and token that a command has. */
async function connectionOf({ args }: SubCommand): Promise<ArgsDef> {
  const ownArgs = (await (typeof args === "function" ? args() : args)) ?? {};
  return Object.fromEntries(Object.entries(connection).filter(([name]) => name in ownArgs));
}

/** The index of the name of a subcommand that is not the value of an option, or -1. */
function indexOfCommand(raw: string[], args: ArgsDef, subCommands: object): number {
  const valued = Object.entries(args).filter(([, { type }]) => type === "string");
  const names = new Set(valued.flatMap(namesOf));
  for (let index = 0; index < raw.length && raw[index] !== "--"; index++) {
    const name = /^--?([^=]+)$/.exec(raw[index] ?? "")?.[1];
    if (name !== undefined && names.has(name)) index++;
    else if (Object.hasOwn(subCommands, raw[index] ?? "")) return index;
  }
  return -1;
}

const namesOf = ([name, arg]: [string, ArgsDef[string]]): string[] => [
  name,
  ...("alias" in arg ? [arg.alias ?? []].flat() : []),
];

type Own<Args extends ArgsDef> = Args & typeof connection;
type Run<Args extends ArgsDef> = (
  args: CommandContext<Own<Args>>["args"],
  api: Api,
  signal: AbortSignal,
) => Promise<void>;

/** A command that calls the service, with the options for its address and token. */
export const command = <const Args extends ArgsDef>(
  name: string,
  description: string,
  args: Args,
  run: Run<Args>,
  connect: (flags: Flags) => ConnectionSettings | Promise<ConnectionSettings> = readConnection,
): CommandDef<Own<Args>> => {
  const allArgs: Own<Args> = { ...args, ...connection };
  return defineCommand<Own<Args>>({
    meta: { name, description },
    args: allArgs,
    run: async (context) => {
      checkArguments(context.rawArgs, allArgs);
      const api = createApi(await connect(context.args));
      await interruptible((signal) => run(context.args, api, signal));
    },
  });
};

/** Fails on unknown options: a mistyped option must not be ignored. */
export function checkArguments(raw: string[], args: ArgsDef, where = "") {
  const knownNames = new Set(Object.entries(args).flatMap(namesOf));
  const end = raw.includes("--") ? raw.indexOf("--") : raw.length;
  for (const text of raw.slice(0, end)) {
    const name = /^--?([a-zA-Z][\w-]*)/.exec(text)?.[1];
    if (name !== undefined && !knownNames.has(name))
      throw new CliFailure(exits.usage, `Unknown option ${text.split("=", 1).join("")}${where}.`);
  }
}

const Found = z.object({ publicId: z.string() });

/** The public id of a workspace, from its id or slug. */
export async function findWorkspaceId(api: Api, idOrSlug: string): Promise<string> {
  const encoded = encodeURIComponent(idOrSlug);
  if (/^[0-9a-z]{12}$/.test(idOrSlug)) {
    try {
      return (await api.json(Found, `/workspaces/${encoded}`)).publicId;
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== exits.notFound) throw error;
    }
  }
  return (await api.json(Found, `/workspaces/by-slug/${encoded}`)).publicId;
}
