import { expect, test } from "vitest";
import { failureCatalog } from "../../src/contract/failure-codes.ts";
import { theDocument } from "../support/responses.ts";
import released from "./released-openapi.json" with { type: "json" };

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

test("examples of 403, 404 and 409 have a code that their operation can answer", () => {
  const { paths, components } = theDocument() as unknown as Node;
  const operations = Object.values<Node>(paths).flatMap((methods) => Object.values<Node>(methods));
  const codeOf = ({ responses }: Node, status: number): string | undefined => {
    const name = responses[status]?.$ref.split("/").at(-1);
    return components.responses[name]?.content["application/json"].example.issues[0].code;
  };
  const kinds = Object.keys(failureCatalog.NOT_FOUND);
  for (const operation of operations) {
    const { operationId, parameters } = operation;
    const needs: string = operation["x-required-permission"];
    const refusal = codeOf(operation, 403);
    if (needs.includes(":")) expect([operationId, refusal]).toEqual([operationId, needs]);
    else expect(Object.keys(failureCatalog.FORBIDDEN)).toContain(refusal ?? "user_required");
    const named = parameters
      .filter((one: Node) => one["in"] === "path")
      .map(({ name }: Node) => `${name.replace(/(?:PublicId|Slug|Code)$/, "")}_not_found`)
      .filter((code: string) => kinds.includes(code));
    const missing = codeOf(operation, 404);
    if (missing !== undefined && named.length > 0) expect(named, operationId).toContain(missing);
    const hasSlug = JSON.stringify(operation.requestBody?.content ?? {}).includes('"slug"');
    if (codeOf(operation, 409) === "slug_taken") expect(hasSlug, operationId).toBe(true);
  }
});

test("objects in lists, and those that may be null, have a name, unless a release had them without", () => {
  const isUnnamed = ({ type, items }: Node) =>
    (Array.isArray(type) && type.includes("object")) || items?.properties !== undefined;
  // The inputs of batches and the bodies of webhooks repeat other schemas.
  const ofSchemas = (document: Node) =>
    whereIs(isUnnamed, document["components"].schemas).filter(
      (at) => !/^\/(?:Batch\w+|\w+EventBody)\//.test(at),
    );
  const before = new Set(ofSchemas(released));
  expect(before.size).toBeGreaterThan(10);
  expect(ofSchemas(theDocument()).filter((at) => !before.has(at))).toEqual([]);
});

test("every number that a reader stores has 64 bits", () => {
  const isShort = ({ type, format }: Node) =>
    [type].flat().includes("number") && format !== "double";
  const schemas = theDocument().components.schemas;
  const ofOperator = /^\/(?:Health|Stats)\//;
  expect(whereIs(isShort, schemas).filter((at) => !ofOperator.test(at))).toEqual([]);
});

test("no list has items of several types, which generators make no types of", () => {
  const { schemas } = theDocument().components;
  const isMixed = ({ items }: Node) => items?.anyOf !== undefined || Array.isArray(items?.type);
  // The path of an issue was released so.
  expect(whereIs(isMixed, schemas)).toEqual(["/Issue/properties/path"]);
});
