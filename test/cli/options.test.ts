import { runCommand, type CommandDef } from "citty";
import { beforeEach, expect, test, vi } from "vitest";
import { wbs } from "../../src/cli/commands.ts";
import { CliFailure, exits } from "../../src/cli/failure.ts";

// No service is called: what is not refused fails here.
beforeEach(() => void vi.stubEnv("WBS_URL", "http://127.0.0.1:9"));

type Command = CommandDef<any>;

/** The commands from `wbs` to each of its last subcommands. */
function paths(above: [string, Command][], command: Command): [string, Command][][] {
  const subCommands = Object.entries((command.subCommands ?? {}) as Record<string, Command>);
  if (subCommands.length === 0) return [above];
  return subCommands.flatMap(([name, sub]) => paths([...above, [name, sub]], sub));
}

/** Each option of `wbs` with a value, if it has one. */
const options = new Map<string, string[]>();
for (const [name, { args }] of paths([["wbs", wbs]], wbs).flat()) {
  for (const [option, { type }] of Object.entries((args ?? {}) as Record<string, any>)) {
    if (type !== "positional") options.set(`--${option}`, type === "string" ? [`of-${name}`] : []);
  }
}

const refused = paths([], wbs).flatMap((path) =>
  path.flatMap(([name, command], at) =>
    [...options].flatMap(([option, value]) => {
      const own = Object.keys((command.args ?? {}) as object);
      // The options for address and token take effect where the command has them.
      if (/^--(?:url|token)$/.test(option) && own.includes(option.slice(2))) return [];
      const names = path.map(([one]) => one);
      const args = [...names.slice(0, at), option, ...value, ...names.slice(at)];
      return [[args.join(" "), args, `Unknown option ${option} before ${name}.`] as const];
    }),
  ),
);

test("there are options and subcommands to test", () => {
  expect([...options.keys()]).toEqual(expect.arrayContaining(["--url", "--output", "--demo"]));
  expect(refused.length).toBeGreaterThan(50);
});

test.each(refused)("wbs %s is refused", async (_, args, message) => {
  const run = runCommand(wbs, { rawArgs: [...args] });
  await expect(run).rejects.toEqual(new CliFailure(exits.usage, message));
});
