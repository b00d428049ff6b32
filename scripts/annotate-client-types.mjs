// Last step of the build. It adds the texts of the document to the type of the router, as doc comments.
// It names the types of resources and inputs, and adds the types of events.
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { inputName } from "../dist/api/openapi/name-schemas.js";
import { Download } from "../dist/transfer/exports/download.js";
import { eventTypes } from "./event-types.mjs";
import { nameEnumerations, nameOf, nameTypes } from "./name-types.mjs";

const types = new URL("../dist/client.d.ts", import.meta.url);
const openapi = new URL("../dist/api/openapi/document.json", import.meta.url);
const document = JSON.parse(readFileSync(openapi, "utf8"));

const resolve = (value) =>
  value?.$ref === undefined
    ? value
    : resolve(
        value.$ref
          .split("/")
          .slice(1)
          .reduce((inside, step) => inside[step], document),
      );

/** What the types of inputs are, by name. */
const inputTexts = new Map();

/** A schema with the name of an operation's input; it holds the ids of the path as well. */
function namedInput(id) {
  const name = inputName(id);
  inputTexts.set(name, `The input of \`${id}\`.`);
  return { $ref: `#/components/schemas/${name}` };
}

/** The schemas of what tRPC answers where REST answers a file or a page. */
const { Attachment, Connected } = document.components.schemas;
const file = z.toJSONSchema(Download);
const insteadOfFiles = {
  "board.exportCsv": file,
  "workspace.export": file,
  "workspace.snapshot": file,
  "attachment.download": Attachment,
  "attachment.file": Attachment,
  "integration.callback": Connected,
};

/** The schemas of the operations by name: their input and output, and their summary. */
const operations = new Map(
  Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => {
      const parameters = operation.parameters.map(resolve).filter((one) => one.in !== "header");
      const body = resolve(operation.requestBody?.content["application/json"]?.schema);
      const fields = parameters.map(({ name, schema, description }) => [
        name,
        { ...schema, description },
      ]);
      const input = {
        ...namedInput(operation.operationId),
        properties: { ...Object.fromEntries(fields), ...body?.properties },
      };
      const { content } = operation.responses["200"];
      const answer = content["application/json"] ?? content["text/event-stream"];
      const output = insteadOfFiles[operation.operationId] ?? answer?.schema;
      return [operation.operationId, { operation, input, output }];
    }),
);

/** The field of a schema, which may be in the items of a list. */
function fieldOf(schema, name) {
  const { properties, items, anyOf, oneOf } = schema?.properties ? schema : (resolve(schema) ?? {});
  if (properties?.[name] !== undefined) return properties[name];
  if (items !== undefined) return fieldOf(items, name);
  const members = (oneOf ?? anyOf ?? []).map((one) => fieldOf(one, name));
  const found = members.filter((one) => one !== undefined);
  return found.length > 1 ? { description: textOf(found[0]), anyOf: found } : found[0];
}

const textOf = (schema) => schema?.description ?? resolve(schema)?.description;
const comment = (indent, text) =>
  text === undefined ? [] : [`${indent}/** ${text.split("\n")[0].replaceAll("*/", "* /")} */`];

/** What tRPC answers to a call that fails. */
const { code, ...failure } = document.components.schemas.ErrorResponse.properties;
const errorShape = {
  $ref: "#/components/schemas/ErrorShape",
  properties: {
    code: { description: "The number of the error in JSON-RPC." },
    message: failure.message,
    data: {
      description: "The error, as REST answers it.",
      properties: {
        ...failure,
        code: { description: textOf(code) },
        httpStatus: { description: "The status that REST answers." },
        path: { description: "The name of the operation." },
      },
    },
  },
};

/** The procedures of the router. */
const procedures = new Set();

/** Adds comments to the lines of the router's type; the depth of a line is its indentation. */
function annotate(lines) {
  const open = [];
  const plain = (texts) => texts.map((text) => ({ text }));
  return lines.flatMap((line) => {
    const [, type] = /^export type (\w+) = \{$/.exec(line) ?? [];
    if (type !== undefined || line.startsWith("}")) open.length = 0;
    if (type !== undefined) open.push({ depth: 0, schema: document.components.schemas[type] });
    const [, indent = "", name, rest = ""] = /^(\s+)"?([\w-]+)"?\??: (.*)$/.exec(line) ?? [];
    if (name === undefined) return plain([line]);
    while ((open.at(-1)?.depth ?? -1) >= indent.length) open.pop();
    const parent = open.at(-1);
    if (name === "errorShape") {
      open.push({ depth: indent.length, name, schema: errorShape });
      return [{ text: line, schema: errorShape }];
    }
    if (rest.includes("TRPCBuiltRouter<")) open.push({ depth: indent.length, router: name });
    if (/TRPC(?:Query|Mutation|Subscription)Procedure</.test(rest)) {
      const id = `${parent?.router}.${name}`;
      // The document does not describe subscriptions.
      const found = operations.get(id) ?? { input: { ...namedInput(id), properties: {} } };
      procedures.add(id);
      open.push({ depth: indent.length, found });
      const { summary, description } = found?.operation ?? {};
      return plain([...comment(indent, summary && `${summary}. ${description}`), line]);
    }
    if (parent?.found !== undefined) {
      const isPart = name === "input" || name === "output";
      const schema = isPart ? (parent.found[name] ?? {}) : undefined;
      open.push({ depth: indent.length, name, schema });
      return [{ text: line, schema }];
    }
    if (parent?.schema === undefined) return plain([line]);
    const operation = /^"(\w+\.\w+)";$/.exec(rest)?.[1];
    if (name === "operation") parent.operation = operation;
    const described = fieldOf(parent.schema, name);
    // The input of an operation in a batch.
    const named = name === "input" ? operations.get(parent.operation)?.input : undefined;
    const schema = named ?? described ?? {};
    open.push({ depth: indent.length, name, schema });
    const text = textOf(described);
    return [...plain(comment(indent, text)), { text: line, schema }];
  });
}

const eventType = `/** An event of feed, stream and webhooks: \`type\` decides what \`data\` is. */
export type BoardEvent = EventTypes.BoardEvent;`;

/** `export type Card = …` for each schema that an operation returns, and each body. */
function namedTypes(objects) {
  const declare = (name, about, type) =>
    [...comment("", about), `export type ${name} = ${type};`].join("\n");
  // The types of events come from the document.
  const named = new Map([["BoardEvent", eventType]]);
  for (const [name, type] of objects) {
    const about = inputTexts.get(name) ?? textOf(document.components.schemas[name]) ?? type.about;
    named.set(name, declare(name, about ?? "The form of errors over tRPC.", type.text));
  }
  const add = (schema, type) => {
    const { $ref } = schema ?? {};
    const name = nameOf({ $ref });
    if (name === undefined || named.has(name)) return;
    named.set(name, declare(name, textOf(schema), type));
    const { items, nextCursor } = resolve(schema).properties ?? {};
    if (nextCursor !== undefined) add(items?.items, `${name}["items"][number]`);
  };
  for (const [id, { output }] of operations) {
    if (!procedures.has(id)) continue;
    const [resource, verb] = id.split(".");
    const procedure = `AppRouter["${resource}"]["${verb}"]`;
    add(output, `import("@trpc/server").inferProcedureOutput<${procedure}>`);
    add(output?.items, `import("@trpc/server").inferProcedureOutput<${procedure}>[number]`);
  }
  return [...named.values()];
}

const { lines, types: enumerations } = nameEnumerations(
  readFileSync(types, "utf8").split("\n"),
  document.components.schemas,
);
const { texts, types: objectTypes } = nameTypes(annotate(lines), new Set(["BoardEvent", "Issue"]));
writeFileSync(
  types,
  [
    ...texts,
    ...namedTypes(new Map([...enumerations, ...objectTypes])),
    await eventTypes(document),
    "",
  ].join("\n"),
);
