import { expect, test } from "vitest";
import { filterIssues } from "../../../src/contract/filter/check.ts";
import { fieldsWith, filterFields, opsOf } from "../../../src/contract/filter/fields.ts";

const custom = [
  { publicId: "select000000", type: "select" },
  { publicId: "multi0000000", type: "multiSelect" },
  { publicId: "member000000", type: "member" },
] as const;
const names = [...Object.keys(filterFields), ...custom.map(({ publicId }) => `fields.${publicId}`)];
const fieldOf = fieldsWith(custom);
const ofIds = names.filter((name) => /^ids?$/.test(fieldOf(name)?.kind ?? ""));

test("there are fields of ids, custom ones too", () => {
  expect(ofIds.length).toBeGreaterThan(7);
});

test.each(ofIds)("a condition on %s with a name says that it takes ids", (field) => {
  const operators = (fieldOf(field) && opsOf(fieldOf(field) ?? { kind: "id" })) ?? [];
  const problemOf = (op: string, value: unknown) => filterIssues({ field, op, value }, fieldOf);
  for (const op of operators.filter((one) => !/empty/i.test(one))) {
    const given = (value: string) => (/any|none/i.test(op) ? [value] : value);
    for (const name of ["Bug", "To do", "a name of several words"]) {
      const [problem] = problemOf(op, given(name));
      expect(problem?.path).toEqual(["value"]);
      expect(problem?.message).toContain(`not \`${name}\`: ids, not names`);
    }
    expect(problemOf(op, given("p5d2h8s4t6b1"))).toEqual([]);
    const isOfMembers = fieldOf(field)?.isMember === true;
    expect(problemOf(op, given("me")).length).toBe(isOfMembers ? 0 : 1);
  }
});
