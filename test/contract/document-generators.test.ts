import { expect, test } from "vitest";
import { theDocument } from "../support/answers.ts";

type Node = Record<string, any>;

/** The objects of the document that a condition holds for, by their path. */
function whereIs(condition: (node: Node) => boolean, part: unknown = theDocument()): string[] {
  const found: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (!/\/examples?\//.test(`${at}/`) && condition(value)) found.push(at);
    for (const [key, one] of Object.entries(value)) visit(one, `${at}/${key}`);
  };
  visit(part, "");
  return found;
}

test("no time has a pattern", () => {
  expect(whereIs(({ format, pattern }) => format === "date-time" && pattern)).toEqual([]);
});

test("no optional header has a value that a tool would send", () => {
  const isFilled = ({ in: place, required, example, examples, schema = {} }: Node) =>
    place === "header" &&
    required !== true &&
    [example, examples, schema.example, schema.default, schema.enum].some(
      (one) => one !== undefined,
    );
  expect(whereIs(isFilled)).toEqual([]);
});

test("no field of a schema has a default, which generators would require", () => {
  const { schemas } = theDocument().components;
  const fields = (node: Node) =>
    typeof node["properties"] === "object" &&
    Object.values<Node>(node["properties"]).some((one) => "default" in one);
  expect(whereIs(fields, schemas)).toEqual([]);
});

test("webhook bodies declare the fields that data repeats", () => {
  const schemas: Node = theDocument().components.schemas;
  const bodies = Object.keys(schemas).filter((name) => name.endsWith("EventBody"));
  expect(bodies.length).toBeGreaterThan(60);
  for (const name of bodies) {
    const { properties } = schemas[name].properties.data;
    expect(Object.keys(properties), name).toEqual(
      expect.arrayContaining(["workspacePublicId", "boardPublicId", "actor", "changes"]),
    );
  }
});
