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
import { readConnection, setConnection } from "./config.ts";
import { CliFailure, exits } from "./failure.ts";
import { interruptible } from "./interrupt.ts";

const connection = {
  url: {
    type: "string",
    description: "Address of the service (default: WBS_URL, else http://127.0.0.1:3000)",
    valueHint: "address",
  },
  token: { type: "string", description: "API key (default: WBS_TOKEN)", valueHint: "key" },
} as const satisfies ArgsDef;

/** A command with subcommands. The options for address and token may precede the subcommand. */
export function group(
  meta: CommandMeta,
  subCommands: SubCommandsDef,
  more: { args?: ArgsDef; default?: string } = {},
): CommandDef {
  const args: ArgsDef = { ...more.args, ...connection };
  return defineCommand({
    meta,
    ...more,
    args,
    subCommands,
    setup({ rawArgs, args: { url, token } }) {
      const at = rawArgs.findIndex((arg) => Object.hasOwn(subCommands, arg));
      if (at !== -1) checkArguments(rawArgs.slice(0, at), args);
      setConnection({ url, token });
    },
  });
}

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
): CommandDef<Own<Args>> => {
  const own: Own<Args> = { ...args, ...connection };
  return defineCommand<Own<Args>>({
    meta: { name, description },
    args: own,
    run: async (context) => {
      checkArguments(context.rawArgs, own);
      const api = createApi(readConnection(context.args));
      await interruptible((signal) => run(context.args, api, signal));
    },
  });
};

/** Fails on unknown options: a mistyped option must not be ignored. */
export function checkArguments(raw: string[], args: ArgsDef) {
  const known = new Set(
    Object.entries(args).flatMap(([name, arg]) => [
      name,
      ...("alias" in arg ? [arg.alias ?? []].flat() : []),
    ]),
  );
  const end = raw.includes("--") ? raw.indexOf("--") : raw.length;
  for (const text of raw.slice(0, end)) {
    const name = /^--?([a-zA-Z][\w-]*)/.exec(text)?.[1];
    if (name !== undefined && !known.has(name))
      throw new CliFailure(exits.usage, `Unknown option ${text.split("=", 1).join("")}.`);
  }
}

const Found = z.object({ publicId: z.string() });

/** The public id of a workspace, from its id or slug. */
export async function workspaceOf(api: Api, given: string): Promise<string> {
  const shown = encodeURIComponent(given);
  if (/^[0-9a-z]{12}$/.test(given)) {
    try {
      return (await api.json(Found, `/workspaces/${shown}`)).publicId;
    } catch (error) {
      if (!(error instanceof CliFailure) || error.exit !== exits.notFound) throw error;
    }
  }
  return (await api.json(Found, `/workspaces/by-slug/${shown}`)).publicId;
}
