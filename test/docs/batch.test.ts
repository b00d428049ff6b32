import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { isOperation, policy, ruleOf } from "../../src/contract/policy.ts";

test("docs/sync.md names every write that cannot be in a batch, and no other", async () => {
  const page = await readFile("docs/sync.md", "utf8");
  const [, sentence = ""] =
    page.match(/^Every write of a workspace can be in a batch([^]*?)\n\n/m) ?? [];
  const named = [...sentence.matchAll(/`([a-z]+\.(?:[a-zA-Z]+|\*))`/g)].map(
    ([, name = ""]) => name,
  );
  const alone = Object.keys(policy)
    .filter(isOperation)
    .filter((name) => "alone" in ruleOf(name) && name !== "workspace.batch");
  const isNamed = (name: string) =>
    named.includes(name) || named.includes(name.replace(/\..*/, ".*"));
  expect(alone.filter((name) => !isNamed(name))).toEqual([]);
  const single = named.filter((name) => !name.endsWith("*"));
  expect(single.filter((name) => !alone.some((one) => one === name))).toEqual([]);
});
