import { expect, test } from "vitest";
import { useApp } from "../support/app.ts";
import { makeUser, makeWorkspace } from "../support/make.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { useWbs, wbs } from "./wbs.ts";

const ADMIN_KEY = "the key of the operator";
const app = useApp({ env: { ADMIN_KEY }, isolated: true });
const served = useWbs(app);

const run = async (args: string[], env: Record<string, string> = { WBS_ADMIN_KEY: ADMIN_KEY }) =>
  wbs(served().main, await temporaryDirectory(), ["admin", ...args], {
    WBS_URL: served().service.url,
    ...env,
  }).ended;

test("the first account becomes an operator by one command, and then has the commands", async () => {
  const user = await makeUser(app(), "First\u001b[31m");
  const made = await run(["users", "make-operator", user.email.toUpperCase()]);
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^isOperator +yes$/m) });
  const listed = await run(["users", "list", "--operators"], { WBS_TOKEN: user.token });
  const [head, line] = listed.out.split("\n");
  expect(head).toMatch(/^id +email +name +last seen +workspaces +verified +disabled +operator$/);
  expect(line).toMatch(new RegExp(`^${user.publicId} +${user.email} `));
  // The name cannot colour the terminal.
  expect(listed.out).not.toContain("\u001b");
});

test("listings go on over pages, as tables and as JSON", async () => {
  const { admin } = await makeWorkspace(app());
  for (let nth = 0; nth < 3; nth++) await makeWorkspace(app(), admin);
  const listed = await run(["workspaces", "list", "--sort", "events", "--limit", "3", "--json"]);
  expect(JSON.parse(listed.out)).toHaveLength(3);
  expect((await run(["workspaces", "list"])).out.split("\n").length).toBeGreaterThan(5);
});

test("refusals have their exit codes, and say what to do", async () => {
  const { publicId } = await makeWorkspace(app());
  const refused = [
    [["users", "list"], {}, 3, "Set WBS_ADMIN_KEY"],
    [["users", "list"], { WBS_ADMIN_KEY: "wrong" }, 3, "The `X-Admin-Key` is wrong."],
    [["users", "disable", "nobody@example.com"], undefined, 4, "nobody@example.com"],
    [["users", "show", "x".repeat(12)], undefined, 4, "not found"],
    [["workspaces", "set-quota", publicId, "lots"], undefined, 2, "lots"],
    [["workspaces", "list", "--sort", "size"], undefined, 2, "sort"],
    [["workspaces", "delete", publicId], undefined, 2, "--yes"],
  ] as const;
  for (const [args, env, code, text] of refused) {
    const ended = await run([...args], env);
    expect({ args, code: ended.code }).toEqual({ args, code });
    expect(ended.said).toContain(text);
  }
});
