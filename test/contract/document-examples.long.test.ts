import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { document, inputOf, routes } from "./examples.ts";

type Any = any;

describe.each(routes)("the examples of %s", (_, { schema, options }, operation) => {
  const { response, page, events, contentTypes } = options;
  const takesBytes = options.requestBody === "bytes";
  const content: Record<string, Any> = operation.responses[200].content;

  test("are a valid request", async () => {
    const { error } = await schema.safeParseAsync(inputOf(operation));
    expect(error?.issues).toBe(undefined);
  });

  test("have a valid value for every required field", () => {
    const body = operation.requestBody?.content["application/json"];
    expect(body === undefined).toBe(operation.requestBody === undefined || takesBytes);
    if (body !== undefined) expectValid(body.schema, body.example);
    const own = operation.parameters.filter((one: Any) => one.$ref === undefined);
    for (const one of own.filter(({ example }: Any) => example !== undefined)) {
      expectValid(one.schema, one.example);
    }
    expect(own.filter(({ required, example }: Any) => required && example === undefined)).toEqual(
      [],
    );
  });

  test("are a response of the declared schema", () => {
    const type = page ? "text/html" : events ? "text/event-stream" : "application/json";
    expect(contentTypes === undefined).toBe(response === undefined);
    expect(Object.keys(content)).toEqual(contentTypes ?? [type]);
    expect(Object.keys(content)).not.toEqual([]);
    if (response === undefined) expectValid(content[type].schema, content[type].example);
  });
});

test("the examples of errors are errors, each with its code", () => {
  const codes = Object.values<Any>(document.components.responses).flatMap(({ content }) => {
    if (content === undefined) return [];
    const { schema, example } = content["application/json"];
    expectValid(schema, example);
    return [example.code];
  });
  expect(codes.length).toBeGreaterThan(10);
});

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
ajv.addKeyword("discriminator");
ajv.addVocabulary(["x-known-values", "x-also-accepts"]);
addFormats.default(ajv);
/** A schema of the document as `ajv` finds what it refers to: each component is compiled once. */
const readable = (schema: object) =>
  JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "document#/$defs/"));
ajv.addSchema(readable({ $id: "document", $defs: document.components.schemas }));
function expectValid(schema: object, value: unknown): void {
  ajv.validate(readable(schema), value);
  expect(ajv.errors).toBe(null);
}
