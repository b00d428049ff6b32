import { runCommand, type CommandDef } from "citty";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { admin } from "../../src/cli/admin.ts";
import { wbs } from "../../src/cli/commands.ts";
import { ruleOf } from "../../src/contract/policy.ts";
import { listen } from "../support/listen.ts";

type Command = CommandDef<any>;

const called: string[] = [];
let recorder: Awaited<ReturnType<typeof listen>>;

/** Answers each call as a listing that is empty, and records what was called. */
beforeAll(async () => {
  recorder = await listen(async (request) => {
    called.push(`${request.method} ${new URL(request.url).pathname.replace("/api/v1", "")}`);
    return Response.json({ items: [], nextCursor: null });
  });
  vi.stubEnv("WBS_URL", recorder.url);
  vi.stubEnv("WBS_ADMIN_KEY", "the key of the operator");
});
afterAll(() => recorder.close());

/** The names and the arguments of each command of an operator. */
function commandsIn(above: string[], command: Command): string[][] {
  const subCommands = Object.entries((command.subCommands ?? {}) as Record<string, Command>);
  if (subCommands.length > 0) {
    return subCommands.flatMap(([name, sub]) => commandsIn([...above, name], sub));
  }
  const args = Object.entries((command.args ?? {}) as Record<string, { type: string }>);
  const given = args.flatMap(([name, { type }]) =>
    type === "positional" ? [name === "mebibytes" ? "5" : "abcdefghijkl"] : [],
  );
  return [[...above, ...given, ...(args.some(([name]) => name === "yes") ? ["--yes"] : [])]];
}

const commands = commandsIn(["admin"], admin);

test("the commands call every operation of operators, and nothing else", async () => {
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  for (const rawArgs of commands) await runCommand(wbs, { rawArgs });
  vi.restoreAllMocks();
  const routes = routesOf(appRouter).filter(({ operation }) => {
    const rule = ruleOf(operation);
    return rule.on === "operator" && rule.announced !== true;
  });
  const operationOf = (call: string) =>
    routes.find(({ method, path }) =>
      new RegExp(`^${method} ${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(call),
    )?.operation ?? call;
  const reached = new Set(called.map(operationOf));
  expect([...reached].toSorted()).toEqual(routes.map(({ operation }) => operation).toSorted());
});

test("what deletes needs --yes", async () => {
  const before = called.length;
  for (const rawArgs of commands.filter((args) => args.includes("--yes"))) {
    const run = runCommand(wbs, { rawArgs: rawArgs.filter((one) => one !== "--yes") });
    await expect(run).rejects.toThrow("Repeat the command with --yes.");
  }
  expect(called.length).toBe(before);
});
