import { expect, test } from "vitest";
import { marked } from "marked";
import { growth } from "../support/linear.ts";
import { mentionsOf, mentionsOutsideCode, withoutMemberIds } from "../../src/domain/mentions.ts";

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

const ada = `@[Ada](${id})`;
const isOutside = (text: string) => [...mentionsOutsideCode(text)].length > 0;
/** Whether the mention is a link where the text is shown. */
const isShownAsLink = (text: string) =>
  marked.parse(text, { async: false }).includes(`<a href="${id}"`);

test.each([
  "X",
  "a X b",
  "# X",
  "`X`",
  "``a ` X``",
  "`a` X `b`",
  "`a X",
  "``a` X",
  "\\`X`",
  "\\\\`X`",
  "`a\\` X `b`",
  "\\``X`",
  "a `b\nX c` d",
  "a `b\n\nX c` d",
  "```\nX\n```",
  "```ts\nX",
  "~~~\nX\n```\nX\n~~~",
  "````\n```\nX\n````",
  "```\na\n```\nX",
  "``` a ` X",
  "  ```\n  X\n  ```",
  "    X",
  "\tX",
  "a\n    X",
  "a\n\n    X",
  "# a\n    X",
  "- a\n\n  X",
  "- a\n\n    X",
  "- a\n\n      X",
  "-     X",
  "- - X",
  "1. ```\n   X\n   ```",
  "- a\n  ```\n  X\n  ```\n  b",
  "- ```\n  a\n\nX",
  "- a\n```\nX\n```",
  "> X",
  "> > X",
  ">     X",
  "> ```\n> X\n> ```",
  "> ```\n> a\n\nX",
  "> a\nX",
  "* * *\n    X",
  "a\n***\n    X",
])("of %j, what is shown as code is no mention", (text) => {
  const given = text.replaceAll("X", ada);
  expect(isOutside(given)).toBe(isShownAsLink(given));
});

test("of mentions within code and others, the others count", () => {
  const text = `\`@[A](${id})\` @[B](${id})\n\n    @[C](${id})\n\n@[D](${id}) \`x\``;
  expect([...mentionsOutsideCode(text)].map(({ name }) => name)).toEqual(["B", "D"]);
  expect(withoutMemberIds(text)).not.toContain(id);
});

test.each(["`", "``` ", "\\`", "> ", "- * ", "    ", "```\n", "- a\n  ", "`a``b", "1. "])(
  "looks for code in 200,000 characters of %j in linear time",
  (part) => {
    const count = (text: string) => [...mentionsOutsideCode(`${ada}${text}`)].length;
    expect(growth(count, part, 200_000)).toBeLessThan(1_000);
  },
);
