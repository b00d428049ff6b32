import { z } from "zod";
import { Schema, schemaName } from "../../kernel/schemas/schema.ts";

const Body = z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: Schema })) });
const Parameter = z.looseObject({
  in: z.string().optional(),
  name: z.string().optional(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: Schema.optional(),
});
const Operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: Body.optional(),
  responses: z.record(z.string(), z.unknown()),
});
const Document = z.looseObject({
  info: z.looseObject({ description: z.string() }),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), Schema) }),
});
const Guides = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    sections: z.array(z.object({ title: z.string(), text: z.string() })),
  }),
);

/** The guides, as the build writes them. */
export type Guides = z.infer<typeof Guides>;
export const readGuides = (text: string): Guides => Guides.parse(JSON.parse(text));

/** A guide in Markdown. */
export const guideText = ({ sections }: Guides[number]): string =>
  sections.map(({ text }, nth) => (nth === 0 ? text : `## ${text}`)).join("");

const about = (baseUrl: string) => [
  "# Workspace Board Service",
  "",
  "> A backend for kanban boards: workspaces, boards, lists, cards, with REST, tRPC and MCP.",
  "",
  `The REST API is at ${baseUrl}/api/v1; send \`Authorization: Bearer KEY\`. Tools for language ` +
    `models are at ${baseUrl}/mcp (Model Context Protocol). The OpenAPI document is ` +
    `${baseUrl}/api/v1/openapi.json; everything below in one text is ${baseUrl}/llms-full.txt.`,
];

const groupByTag = (document: z.infer<typeof Document>) => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      route: `${method.toUpperCase()} ${path}`,
    })),
  );
  return document.tags.flatMap(({ name, description = "" }) => {
    const tagged = operations.filter(({ tags }) => tags[0] === name);
    return tagged.length === 0 ? [] : [{ name, description, operations: tagged }];
  });
};

/** `/llms.txt`: links to the guides, and a line for each operation. */
export function indexText(openapi: object, guides: Guides, baseUrl: string): string {
  const links = guides.map(({ id, title }) => `- [${title}](${baseUrl}/docs/${id}.md)`);
  const groups = groupByTag(Document.parse(openapi)).flatMap(({ name, operations }) => [
    "",
    `## ${name}`,
    "",
    ...operations.map(
      ({ operationId, route, summary }) => `- ${operationId}: ${route}: ${summary}`,
    ),
  ]);
  return [...about(baseUrl), "", "## Guides", "", ...links, ...groups, ""].join("\n");
}

/** `/llms-full.txt`: the guides, and all operations and schemas with their fields. */
export function fullText(openapi: object, guides: Guides, baseUrl: string): string {
  const document = Document.parse(openapi);
  const groups = groupByTag(document).flatMap(({ name, description, operations }) => [
    `# ${name}`,
    "",
    description,
    "",
    ...operations.flatMap((operation) => [...operationLines(operation), ""]),
  ]);
  const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => [
    `## ${name}`,
    "",
    ...(typeof schema.description === "string" ? [schema.description, ""] : []),
    ...fieldLines(schema),
    "",
  ]);
  const texts = guides.map((guide) => `${guideText(guide).trim()}\n`);
  return [...about(baseUrl), "", ...texts, ...groups, "# Schemas", "", ...schemas].join("\n");
}

type Listed = z.infer<typeof Operation> & { route: string };

function operationLines({
  operationId,
  route,
  summary,
  description,
  ...operation
}: Listed): string[] {
  const parameters = operation.parameters.flatMap(({ name, in: place, schema, ...parameter }) => {
    const { description: text = schema?.description, required } = parameter;
    return name === undefined || place === "header"
      ? []
      : [fieldLine(`${name} (${place})`, { ...schema, description: text }, required)];
  });
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const response = Body.safeParse(operation.responses["200"]).data;
  const answered = Object.values(response?.content ?? {})[0]?.schema;
  return [
    `## ${operationId}: ${summary}`,
    "",
    `\`${route}\``,
    "",
    description,
    "",
    ...parameters,
    ...(body === undefined ? [] : [`- body: ${typeOf(body)}`, ...fieldLines(body)]),
    ...(answered === undefined ? [] : [`- answer: ${typeOf(answered)}`]),
  ];
}

const fieldLines = ({ properties = {}, required = [] }: Schema): string[] =>
  Object.entries(properties).map(([name, field]) =>
    fieldLine(name, field, required.includes(name)),
  );

const fieldLine = (name: string, schema: Schema, isRequired = false): string =>
  `- ${name}${isRequired ? "" : "?"}: ${typeOf(schema)}` +
  (typeof schema.description === "string" ? `. ${schema.description}` : "");

/** A type in a few words; a schema of its own by its name. */
function typeOf({ $ref, type, enum: values, items }: Schema): string {
  if ($ref !== undefined) return schemaName($ref);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (items !== undefined) return `${typeOf(items)}[]`;
  return [type ?? "object"].flat().join(" | ");
}
