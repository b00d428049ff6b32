// A step of the build: writes dist/client.d.ts, the types of all resources, inputs and events by name.
// They come from the document; client-router.d.ts makes the type of the router of them.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTypes, { astToString } from "openapi-typescript";
import ts from "typescript";
import { z } from "zod";
import { inputName } from "../dist/api/openapi/name-schemas.js";
import { appRouter } from "../dist/app/router/index.js";
import { definitionOf } from "../dist/kernel/procedures/builder.js";

const document = JSON.parse(readFileSync("dist/api/openapi/without-webhooks.json", "utf8"));
const { openapi, info, paths, components } = document;
const { schemas } = components;
// Where references lead: those of zod are `#/$defs/Invite`.
const root = { components, $defs: schemas };

const nameOf = ({ $ref }) => $ref?.split("/").at(-1);
const refTo = (name) => ({ $ref: `#/components/schemas/${name}` });
const resolve = (value) => {
  const steps = value.$ref?.split("/").slice(1);
  return steps === undefined ? value : resolve(steps.reduce((inside, step) => inside[step], root));
};
const object = (properties, description) => {
  return { type: "object", properties, required: Object.keys(properties), description };
};

/** Operations that answer a file or a page over REST, or in one object what is a union over tRPC. */
const differ = new Set([
  "attachment.download",
  "attachment.file",
  "board.exportCsv",
  "integration.callback",
  "invite.getLink",
  "signIn.callback",
  "workspace.export",
  "workspace.snapshot",
]);

/** What such an operation answers over tRPC. */
function trpcOutput({ output }) {
  const { $ref, $defs } = z.toJSONSchema(output.schema);
  const name = nameOf({ $ref });
  if (schemas[name] === undefined || "anyOf" in $defs[name]) schemas[name] = $defs[name];
  return refTo(name);
}

/** The input of an operation: the parameters of its path and query, and its body. */
function inputOf({ operationId, parameters, requestBody }) {
  const { properties, required = [] } = resolve(
    requestBody?.content["application/json"]?.schema ?? {},
  );
  const fields = parameters.map(resolve).filter(({ in: place }) => place !== "header");
  const own = fields.map(({ name, schema, description }) => [name, { ...schema, description }]);
  return {
    ...object({ ...Object.fromEntries(own), ...properties }, `The input of \`${operationId}\`.`),
    required: [...fields.filter((field) => field.required).map(({ name }) => name), ...required],
  };
}

const operations = {};
for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
  const { operationId: id, summary, description, responses } = operation;
  const defined = definitionOf(appRouter._def.procedures[id]);
  const { content } = responses["200"];
  const answer = content["application/json"] ?? content["text/event-stream"];
  const input = inputOf(operation);
  const hasInput = Object.keys(input.properties).length > 0;
  if (hasInput) schemas[inputName(id)] = input;
  const definition = {
    type: { const: defined.type, description: "The kind of procedure." },
    ...(hasInput && { input: refTo(inputName(id)) }),
    output: differ.has(id) ? trpcOutput(defined) : answer.schema,
  };
  const [resource, verb] = id.split(".");
  operations[resource] ??= {};
  operations[resource][verb] = object(definition, `${summary}. ${description}`);
}

// The input of an operation in a batch has the name of the operation's own input.
for (const { properties } of Object.values(schemas)) {
  const id = properties?.operation?.const;
  if (id !== undefined) properties.input = refTo(inputName(id));
}

const types = {};
const firstLine = (text = "") => text.split("\n")[0];
const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The type of a field. An object gets a name after its parent: `WorkspaceEntryWorkspace`. */
function fieldType(schema, name) {
  const isNamed = schema.properties !== undefined || schema["x-known-values"] !== undefined;
  if (!isNamed || name === undefined) return typeOf(schema, name);
  if (name in schemas) throw new Error(`Two types have the name ${name}.`);
  types[name] = typeOf({ ...schema, type: schema.properties ? "object" : "string" }, name);
  const title = firstLine(schema.description);
  const reference = { title, type: "reference", name };
  return Array.isArray(schema.type) ? { title, anyOf: [reference, { type: "null" }] } : reference;
}

/** A schema as openapi-typescript shall print it: `title` is its comment. References have a name. */
function typeOf({ "x-also-accepts": also, ...schema }, name) {
  const { type, required, properties, items, additionalProperties, deprecated } = schema;
  const title = firstLine(schema.description ?? resolve(schema).description);
  const other = { title, type: "reference", name: also };
  if (also !== undefined) return { title, anyOf: [typeOf(schema, name), other] };
  const about = { title, deprecated };
  if (schema.$ref !== undefined) return { ...about, type: "reference", name: nameOf(schema) };
  const fields = Object.entries(properties ?? {}).map(([key, field]) => [
    key,
    fieldType(field, name && `${name}${upperFirst(key)}`),
  ]);
  return {
    ...about,
    type,
    required,
    const: schema.const,
    enum: schema.enum ?? schema["x-known-values"],
    anyOf: (schema.anyOf ?? schema.oneOf)?.map((one) => typeOf(one, name)),
    items: items && fieldType(items, name),
    properties: properties && Object.fromEntries(fields),
    additionalProperties: additionalProperties && fieldType(additionalProperties, name),
  };
}

for (const [name, schema] of Object.entries(schemas)) types[name] = typeOf(schema, name);
for (const [resource, verbs] of Object.entries(operations))
  operations[resource] = object(verbs, `The operations of \`${resource}\`.`);
types.Procedures = typeOf(object(operations, "All operations."));

const { factory } = ts;
const absent = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
const exporting = factory.createModifier(ts.SyntaxKind.ExportKeyword);
const described = { openapi, info, paths: {}, components: { schemas: types } };
// The copy has no undefined fields.
const nodes = await openapiTypes(JSON.parse(JSON.stringify(described)), {
  transform: ({ type, name }) =>
    type === "reference" ? factory.createTypeReferenceNode(name) : undefined,
  transformProperty({ name, questionToken, type }) {
    const members = ts.isUnionTypeNode(type) ? type.types : [type];
    const optional = questionToken && factory.createUnionTypeNode([...members, absent]);
    return factory.createPropertySignature(undefined, name, questionToken, optional ?? type);
  },
});

/** Each schema as a type of its own: editors and the compiler print its name. */
const { members } = nodes.find(({ name }) => name?.text === "components").members[0].type;
const exported = members.map((member) => {
  const type = factory.createTypeAliasDeclaration([exporting], member.name, undefined, member.type);
  return ts.setSyntheticLeadingComments(type, ts.getSyntheticLeadingComments(member));
});
const router = readFileSync("scripts/client-router.d.ts", "utf8");
writeFileSync("dist/client.d.ts", `${router}\n${astToString(exported)}`);
