import { codes, element, folded, prose } from "./elements.js";

const nameOf = ($ref) => $ref.slice($ref.lastIndexOf("/") + 1);

/** The type of a schema; shared schemas are links. */
export function typeOf(schema) {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return [element("a", { href: `#/schema/${name}` }, name)];
  }
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) {
    return (schema.anyOf ?? schema.oneOf).flatMap((one, index) =>
      index === 0 ? typeOf(one) : [" or ", ...typeOf(one)],
    );
  }
  if (schema.items !== undefined) return ["array of ", ...typeOf(schema.items)];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  const type = [schema.type ?? "any"].flat().join(" or ");
  return [schema.format === undefined ? type : `${type} (${schema.format})`];
}

const bounds = [
  ["Length", "character"],
  ["imum", ""],
  ["Items", "item"],
  ["Properties", "field"],
];

/** A range as text: `1 to 64 characters`, `at most 9`. */
function rangeOf(least, most, unit) {
  const end = most ?? least;
  const noun = unit === "" ? "" : ` ${unit}${end === 1 ? "" : "s"}`;
  if (least === most) return `exactly ${most}${noun}`;
  if (most === undefined) return `at least ${least}${noun}`;
  return least === undefined ? `at most ${most}${noun}` : `${least} to ${most}${noun}`;
}

/** The limits of a schema as text. */
function limitsOf(schema) {
  const limits = bounds.flatMap(([keyword, unit]) => {
    const [least, most] = [schema[`min${keyword}`], schema[`max${keyword}`]];
    return least === undefined && most === undefined ? [] : [rangeOf(least, most, unit)];
  });
  if (schema.default !== undefined) limits.push(`default \`${JSON.stringify(schema.default)}\``);
  if (schema.pattern !== undefined && schema.pattern.length < 60) {
    limits.push(`matches \`${schema.pattern}\``);
  }
  return prose(limits.join(", "));
}

/** The object whose fields a schema has, if it has any. */
function objectIn(schema, document) {
  const { properties, items, anyOf } = document.resolve(schema);
  if (properties !== undefined) return document.resolve(schema);
  if (items !== undefined) return objectIn(items, document);
  return anyOf?.map((one) => objectIn(one, document)).find((one) => one !== undefined);
}

/** One row of a list of fields or parameters. */
export function row(name, schema, { description, required }, document) {
  const inner = document === undefined ? undefined : objectIn(schema, document);
  const own = document === undefined ? schema : document.resolve(schema);
  const about = description ?? own.description;
  return element(
    "div",
    { class: "field" },
    element(
      "div",
      { class: "signature" },
      element("code", { class: "name" }, name),
      element("span", { class: "type" }, ...typeOf(schema)),
      required ? element("span", { class: "required" }, "required") : undefined,
    ),
    about === undefined ? undefined : element("p", {}, ...prose(about)),
    own.enum === undefined ? undefined : element("p", { class: "limits" }, ...codes(own.enum)),
    element("p", { class: "limits" }, ...limitsOf(schema)),
    inner === undefined ? undefined : folded("Fields", () => fields(inner, document)),
  );
}

/** The members of a union, by the constant that names each. */
function membersOf({ mapping }, document) {
  const rows = Object.entries(mapping).map(([name, $ref]) => row(name, { $ref }, {}, document));
  return element("div", { class: "fields" }, ...rows);
}

/** The fields of a schema. Objects within are folded. */
export function fields(schema, document) {
  const own = objectIn(schema, document);
  const { discriminator } = document.resolve(schema);
  if (discriminator !== undefined) return membersOf(discriminator, document);
  if (own === undefined) return element("p", { class: "type" }, ...typeOf(schema));
  const required = own.required ?? [];
  const rows = Object.entries(own.properties).map(([name, one]) =>
    row(name, one, { required: required.includes(name), description: one.description }, document),
  );
  return element("div", { class: "fields" }, ...rows);
}
