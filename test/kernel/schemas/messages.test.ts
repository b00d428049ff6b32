import { expect, test } from "vitest";
import { inputIssues } from "../../../src/kernel/request/error-response.ts";
import { routes } from "../../contract/examples.ts";

// Values that the schema of one field or another refuses.
const values = [
  null,
  true,
  5,
  -1,
  1.5,
  1e12,
  "",
  "x",
  "x".repeat(20_000),
  [],
  [null],
  Array.from({ length: 2_000 }, (_, index) => `${index}`),
  {},
];

test.each(routes)("%s refuses every wrong value in our own words", async (_, { schema }) => {
  const fields = Object.keys(schema.shape);
  const messages = new Set<string>();
  for (const value of values) {
    const input = Object.fromEntries(fields.map((field) => [field, value]));
    const { error } = await schema.safeParseAsync(input);
    for (const { message } of error === undefined ? [] : inputIssues(error)) messages.add(message);
  }
  expect([...messages].filter((text) => /^(?:Too (?:small|big)|Invalid)\b/.test(text))).toEqual([]);
});

test("names the type, and the limit with its unit", async () => {
  const schema = routes.find(([name]) => name === "card.create")?.[1].schema;
  const sent = { listPublicId: "short", title: 5, index: -1, labelPublicIds: {} };
  const { error } = (await schema?.safeParseAsync(sent)) ?? {};
  const issues = error === undefined ? [] : inputIssues(error);
  const messages = issues.map(({ message, path = [] }) => [path.join("."), message]);
  expect(Object.fromEntries(messages)).toEqual({
    listPublicId: "The text must have at least 12 characters.",
    title: "The value must be a text.",
    labelPublicIds: "The value must be a list.",
    index: "The number must be at least 0.",
  });
});
