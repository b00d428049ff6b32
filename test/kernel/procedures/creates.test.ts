import { describe, expect, it } from "vitest";
import { isOperation, policy, ruleOf } from "../../../src/contract/policy.ts";
import { externalMutation } from "../../../src/kernel/procedures/external-mutation.ts";
import { mutation } from "../../../src/kernel/procedures/mutation.ts";

const creates = Object.keys(policy)
  .filter(isOperation)
  .filter((name) => "creates" in ruleOf(name));

describe("an operation that creates a resource", () => {
  it("does not compile without an answer to a repeated call", () => {
    // @ts-expect-error `onReplay` is missing.
    expect(() => mutation("list.create")).toThrow("list.create creates a resource");
    // @ts-expect-error `onReplay` is missing.
    expect(() => externalMutation("card.duplicate", undefined, {})).toThrow("needs `onReplay`");
  });

  it.each(creates)("is refused when it is built without that answer: %s", (name) => {
    for (const build of [mutation, externalMutation]) {
      expect(() => Reflect.apply(build, undefined, [name])).toThrow(`${name} creates`);
      const options = { onReplay: () => undefined };
      expect(() => Reflect.apply(build, undefined, [name, undefined, options])).not.toThrow();
    }
  });
});
