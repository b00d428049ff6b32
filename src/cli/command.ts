import { defineCommand, type ArgsDef, type CommandContext, type CommandDef } from "citty";
import { z } from "zod";
import { createApi, type Api } from "./api.ts";
import { readConnection } from "./config.ts";
import { CliFailure, exits } from "./failure.ts";
import { interruptible } from "./interrupt.ts";

const connection = {
  url: { type: "string", description: "Where the service is; else WBS_URL", valueHint: "address" },
  token: { type: "string", description: "An API key; else WBS_TOKEN", valueHint: "key" },
} as const satisfies ArgsDef;

type Own<Args extends ArgsDef> = Args & typeof connection;
type Run<Args extends ArgsDef> = (
  args: CommandContext<Own<Args>>["args"],
  api: Api,
  signal: AbortSignal,
) => Promise<void>;

/** A command that talks to the service, with what all of them have: where it is, and a way to be interrupted. */
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

/** A mistyped option must not be taken for one that was left out. */
function checkArguments(raw: string[], args: ArgsDef) {
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

/** The public id of a workspace that is named by it, or by its slug. */
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
