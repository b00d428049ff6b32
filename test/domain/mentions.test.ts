import { expect, test } from "vitest";
import { growth } from "../support/linear.ts";
import { mentionsOf, withoutMemberIds } from "../../src/domain/mentions.ts";

const id = "m7e1m9b3r5s6";

test("finds mentions, the innermost of nested ones, and no mention over a line break", () => {
  const names = (text: string) => [...mentionsOf(text)].map(({ name }) => name);
  expect(names(`@[Ada](${id}), @[Bob](${id})`)).toEqual(["Ada", "Bob"]);
  expect(names(`@[x @[Ad] a](${id})](${id})`)).toEqual(["Ad] a"]);
  expect(names(`@[Ada\nBob](${id}) [Ada](${id}) @[Ada](x)`)).toEqual([]);
});

test("replaces mentions by names", () => {
  expect(withoutMemberIds(`Ask @[Ada](${id})!`)).toBe("Ask @Ada!");
});

test.each(["@[", "](", `](${id}`, `@[](${id}`, "@[a]("])(
  "scans 1,000,000 characters of %j in linear time",
  (part) => {
    // With quadratic time the ratio is 4,096.
    expect(growth(withoutMemberIds, part, 1_000_000)).toBeLessThan(1_000);
  },
);
