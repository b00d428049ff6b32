import { codeBlock, codes, element, folded, prose, tabs } from "./elements.js";
import { samplesOf } from "./samples.js";
import { fields, row } from "./schemas.js";
import { tryForm } from "./try.js";

/** The method and path of an operation. */
const address = ({ method, path }) =>
  element(
    "p",
    { class: "address" },
    element("span", { class: `method ${method.toLowerCase()}` }, method),
    element("code", {}, path),
  );

const list = (name, items) =>
  items === undefined || items.length === 0
    ? undefined
    : element("p", { class: "meta" }, `${name}: `, ...codes(items, ", "));

function parametersOf(operation, document) {
  const all = operation.parameters.map((one) => document.resolve(one));
  const groups = { path: "Path", query: "Query", header: "Headers" };
  return Object.entries(groups).flatMap(([kind, title]) => {
    const rows = all
      .filter((one) => one.in === kind)
      .map((one) => row(one.name, one.schema, one, document));
    return rows.length === 0 ? [] : [element("h3", {}, title), ...rows];
  });
}

/** The content of a body or a response: its type, fields and example. */
function contentOf(content = {}, document) {
  const types = Object.keys(content);
  const [media] = Object.values(content);
  if (media === undefined) return [];
  return [
    element("p", { class: "meta" }, ...codes(types)),
    media.schema.format === "binary" ? undefined : fields(media.schema, document),
    media.example === undefined
      ? undefined
      : folded("Example", () => codeBlock(JSON.stringify(media.example, null, 2)), {
          class: "example",
        }),
  ].filter((one) => one !== undefined);
}

function responsesOf(operation, document) {
  return Object.entries(operation.responses).map(([status, one]) => {
    const { description, headers = {}, content } = document.resolve(one);
    const title = [element("span", { class: `status s${status[0]}` }, status), ` ${description}`];
    const make = () => [
      ...contentOf(content, document),
      ...Object.entries(headers).map(([name, header]) => {
        const { schema, description: about } = document.resolve(header);
        return row(name, schema, { description: about });
      }),
    ];
    const details = folded(title, make, { class: "response" });
    if (status.startsWith("2")) details.open = true;
    return details;
  });
}

/** The page of an operation. */
export function operationPage(entry, document, root) {
  const { id, operation } = entry;
  const samples = Object.entries(samplesOf(entry, document, root));
  return [
    element("h1", {}, operation.summary),
    address(entry),
    element("p", { class: "meta" }, ...prose(`Procedure \`${id}\``)),
    element("p", {}, ...prose(operation.description)),
    list("Requires", [operation["x-required-permission"]]),
    list("Also to view", operation["x-view-permissions"]),
    operation["x-or-creator"]
      ? element("p", { class: "meta" }, "The creator may call it too.")
      : undefined,
    list("Emits", operation["x-emits"]),
    element("h2", {}, "Code"),
    tabs(Object.fromEntries(samples.map(([name, make]) => [name, () => codeBlock(make())]))),
    folded("Try it", () => tryForm(entry, document, root), { class: "try-it" }),
    element("h2", {}, "Request"),
    ...parametersOf(operation, document),
    ...(operation.requestBody === undefined
      ? []
      : [element("h3", {}, "Body"), ...contentOf(operation.requestBody.content, document)]),
    element("h2", {}, "Responses"),
    ...responsesOf(operation, document),
  ].filter((one) => one !== undefined);
}

/** The page of an event that webhooks receive. */
export function eventPage({ id, operation }, document) {
  return [
    element("h1", {}, operation.summary),
    element(
      "p",
      { class: "address" },
      element("span", { class: "method event" }, "EVENT"),
      element("code", {}, id),
    ),
    element("p", {}, ...prose(operation.description)),
    element("h2", {}, "Headers"),
    ...operation.parameters.map((one) => {
      const header = document.resolve(one);
      return row(header.name, header.schema, header);
    }),
    element("h2", {}, "Body"),
    ...contentOf(operation.requestBody.content, document),
  ];
}

/** The page of a shared schema. */
export function schemaPage(name, document) {
  const schema = document.schemas[name];
  if (schema === undefined) return undefined;
  return [
    element("h1", {}, name),
    element("p", {}, ...prose(schema.description)),
    schema.enum === undefined ? fields(schema, document) : element("p", {}, ...codes(schema.enum)),
  ];
}
