import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { batchable } from "../../src/app/router/batch.ts";
import { document, inputOf, routes } from "./examples.ts";

type Any = any;

const { schemas } = document.components;
const { oneOf, discriminator } = schemas.BatchOperation;
const batched = routes.filter(([name]) => Object.hasOwn(batchable, name));
const nameIn = ($ref: string) => $ref.split("/").at(-1) ?? "";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
ajv.addKeyword("discriminator");
ajv.addVocabulary(["x-known-values", "x-also-accepts"]);
addFormats.default(ajv);
const whole = { $ref: "#/$defs/BatchWorkspaceInput", $defs: schemas };
const isValid = ajv.compile(
  JSON.parse(JSON.stringify(whole).replaceAll("#/components/schemas/", "#/$defs/")),
);

test("an operation of a batch is one of those that may be in a batch", () => {
  expect(Object.keys(discriminator.mapping)).toEqual(Object.keys(batchable).toSorted());
  expect(oneOf.map(({ $ref }: Any) => $ref)).toEqual(Object.values(discriminator.mapping));
  expect(discriminator.propertyName).toBe("operation");
  expect(isValid({ operations: [{ operation: "card.duplicate", input: {} }] })).toBe(false);
});

test("no schema has the name of such an operation, which generators give to its constant", () => {
  const inCode = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const constants = new Set(Object.keys(discriminator.mapping).map(inCode));
  expect(Object.keys(schemas).filter((name) => constants.has(inCode(name)))).toEqual([]);
});

describe.each(batched)("%s in a batch", (name, { schema, options }, operation) => {
  const member = schemas[nameIn(discriminator.mapping[name])];
  const { input } = member.properties;

  test("has its parameters and the fields of its body", () => {
    const $ref = operation.requestBody?.content["application/json"].schema.$ref ?? "";
    const body = schemas[nameIn($ref)] ?? { properties: {} };
    const given = operation.parameters.filter((one: Any) => one.$ref === undefined);
    expect(Object.keys(input.properties).toSorted()).toEqual(Object.keys(schema.shape).toSorted());
    expect(input.properties).toMatchObject(body.properties);
    expect(input.required).toEqual(
      [
        ...given.filter(({ required }: Any) => required).map((one: Any) => one.name),
        body.required ?? [],
      ].flat(),
    );
    expect(input.minProperties).toBe(
      options.bodyFields?.min && options.bodyFields.min + given.length,
    );
    expect(input.maxProperties).toBe(
      options.bodyFields?.max && options.bodyFields.max + given.length,
    );
    expect([input.additionalProperties, member.additionalProperties]).toEqual([false, false]);
  });

  test("takes the example of the operation, and no other field", () => {
    const call = { operation: name, input: inputOf(operation), ifVersion: 3 };
    isValid({ operations: [call] });
    expect(isValid.errors).toBe(null);
    const other = { ...call, input: { ...call.input, other: 1 } };
    expect(isValid({ operations: [other] })).toBe(false);
    expect(isValid({ operations: [{ operation: name, input: {} }] })).toBe(false);
  });
});
