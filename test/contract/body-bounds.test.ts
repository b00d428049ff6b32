import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { exemplifier } from "../../src/kernel/schemas/example.ts";
import { routesOf } from "../../src/api/rest/routes.ts";
import { appRouter } from "../../src/app/router/index.ts";
import { theDocument } from "../support/responses.ts";

type Any = any;
const document: Any = theDocument();
const ajv = new Ajv2020({ strict: false, validateFormats: false });
addFormats.default(ajv);
ajv.addSchema(document, "document");

/** Fields that exclude each other beside other fields: counts of fields cannot say so. */
const exclusive: Readonly<Record<string, readonly string[]>> = {
  "board.create": ["sourceBoardPublicId", "lists", "labels"],
  "card.create": ["index", "position", "beforeCardPublicId", "afterCardPublicId"],
  "field.create": ["index", "position"],
  "field.update": ["index", "position"],
  "card.update": [
    "index",
    "position",
    "beforeCardPublicId",
    "afterCardPublicId",
    "labelPublicIds",
    "addLabelPublicIds",
    "removeLabelPublicIds",
    "memberPublicIds",
    "addMemberPublicIds",
    "removeMemberPublicIds",
  ],
  "card.bulkUpdate": ["cardPublicIds", "filter"],
  "list.create": ["index", "position"],
  "list.move": ["index", "position", "beforeListPublicId", "afterListPublicId"],
  "list.update": ["index", "position", "beforeListPublicId", "afterListPublicId"],
  // The values of both names are the same; the examples are not.
  "webhook.update": ["isActive", "active"],
};

/** Required fields alone, with one and two others, all fields, and all but one. */
function subsets(all: readonly string[], required: readonly string[]): string[][] {
  const others = all.filter((one) => !required.includes(one));
  const pairs = others.flatMap((one, index) => others.slice(index + 1).map((two) => [one, two]));
  const fewer = others.map((one) => others.filter((two) => two !== one));
  return [[], ...others.map((one) => [one]), ...pairs, others, ...fewer].map((some) => [
    ...required,
    ...some,
  ]);
}

describe.each(
  routesOf(appRouter).flatMap((route): [name: string, route: typeof route, operation: Any][] => {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    const content = operation?.requestBody?.content["application/json"];
    return content === undefined ? [] : [[route.operation, route, operation]];
  }),
)("the body of %s", (name, { schema }, operation) => {
  const content = operation.requestBody.content["application/json"];
  const component = content.schema.$ref.split("/").at(-1);
  const body: Any = document.components.schemas[component];
  const exemplify = exemplifier(document.components.schemas);
  const valueOf = (field: string, one: Any) => {
    if (/publicId$/i.test(field)) return "q8w2e5r7t1y4";
    if (/publicIds$/i.test(field)) return ["q8w2e5r7t1y4"];
    if (field === "secret") return "whsec_dGhlIHNlY3JldCBvZiBhIHdlYmhvb2s=";
    // A cursor from an example would answer 400.
    if (field === "cursor") return "eyJ2IjoxfQ";
    return exemplify(one, `${name} ${field}`);
  };
  const example = Object.fromEntries(
    Object.entries<Any>(body.properties).map(([field, one]) => [
      field,
      content.example[field] ?? valueOf(field, one),
    ]),
  );
  const validate = ajv.getSchema(`document#/components/schemas/${component}`);
  const ids = Object.fromEntries(
    operation.parameters
      .filter((one: Any) => one.in === "path")
      .map((one: Any) => [one.name, one.example]),
  );

  test("has the number of fields that the service requires", async () => {
    const faults: string[] = [];
    for (const fields of subsets(Object.keys(example), body.required ?? [])) {
      const subset = Object.fromEntries(fields.map((field) => [field, example[field]]));
      const excluded = (exclusive[name] ?? []).filter((field) => fields.includes(field));
      if (excluded.length > 1) continue;
      const isAccepted = (await schema.safeParseAsync({ ...ids, ...subset })).success;
      if (isAccepted !== validate?.(subset)) faults.push(fields.join(" "));
    }
    expect(faults).toEqual([]);
  });
});

test("items in arrays of a query have no comma, which separates items", () => {
  const arrays = Object.values<Any>(document.paths)
    .flatMap((methods) => Object.values<Any>(methods))
    .flatMap(({ parameters }) => parameters)
    .filter(({ in: from, schema }) => from === "query" && schema.type === "array");
  expect(arrays.length).toBeGreaterThan(8);
  for (const { schema } of arrays) {
    if (schema.items.type === "integer") continue;
    if (schema.items.pattern === undefined) {
      const { enum: values } = document.components.schemas[schema.items.$ref.split("/").at(-1)];
      expect(values.join("")).not.toContain(",");
    } else expect("123456789012,1").not.toMatch(new RegExp(schema.items.pattern));
  }
});
