import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, describe, expect, test } from "vitest";
import type { Route } from "../../src/api/rest/routes.ts";
import { exemplifier, isShown } from "../../src/kernel/schemas/example.ts";
import { timeZoneError } from "../../src/contract/vocabulary/time-zone.ts";
import { exampleIds } from "../../src/contract/vocabulary/ids.ts";
import { isStream } from "../support/responses.ts";
import { useApp } from "../support/app.ts";
import { loopback } from "../support/dns.ts";
import { startS3 } from "../support/s3.ts";
import { adminKey, inputWith, requestOf, withIds } from "./example-request.ts";
import { createExampleResources, type ExampleResources } from "./example-resources.ts";
import { document, isConsuming, reaching, routes } from "./examples.ts";
import { inNormalForm, valuesFor } from "./field-values.ts";

// Each field of each operation accepts the values that the document allows, and no others.

type Any = any;
type Input = Record<string, unknown>;
type Field = { name: string; from: string; schema: Any; example: unknown };

const s3 = await startS3();
afterAll(() => s3.stop());
const app = useApp({
  env: { STORAGE_URL: s3.storageUrl, ADMIN_KEY: adminKey, TRELLO_API_URL: "http://127.0.0.1:1" },
  outgoing: loopback("hooks.example.com"),
});

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
// The pattern beside it says more: addresses of the HTML standard and SMTPUTF8.
ajv.addFormat("email", true);
ajv.addSchema(document, "document");

const prefix = "#/components/schemas/";
const resolve = (schema: Any): Any =>
  schema?.$ref === undefined
    ? schema
    : resolve(document.components.schemas[schema.$ref.slice(prefix.length)]);
const compiled = new Map<string, (value: unknown) => boolean>();
function allows(schema: Any, value: unknown): boolean {
  const text = JSON.stringify(schema).replaceAll(`"${prefix}`, `"document${prefix}`);
  const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, validate);
  return validate(value);
}
const valuesOf = valuesFor(resolve);
const exemplify = exemplifier(document.components.schemas);

const bodyOf = (operation: Any): Any =>
  resolve(operation.requestBody?.content["application/json"]?.schema) ?? {};

/** The fields of body, query and path. */
function fieldsOf(operation: Any): Omit<Field, "example">[] {
  const inBody = Object.entries<Any>(bodyOf(operation).properties ?? {}).map(([name, schema]) => ({
    name,
    from: "body",
    schema,
  }));
  const others = operation.parameters
    .filter((one: Any) => one.in === "query" || one.in === "path")
    .map(({ in: from, name, schema }: Any) => ({ name, from, schema }));
  return [...inBody, ...others];
}

/** The example of a field, also of those that no example of the document shows. */
function exampleOf(route: Route, { name, schema }: Omit<Field, "example">, from: ExampleResources) {
  const kind = name.replace(/^(?:before|after|source)?(\w+?)PublicIds?$/, "$1").toLowerCase();
  const id = new Map<string, string>(Object.entries(exampleIds)).get(kind) ?? exampleIds.card;
  if (name.endsWith("PublicIds")) return withIds([id], from);
  if (name.endsWith("PublicId")) return withIds(id, from);
  if (!isShown(false, schema, document.components.schemas)) return undefined;
  return withIds(exemplify(schema, `${route.operation} ${name}`), from);
}

/** The value that a text of the query or path means. */
function parsed(schema: Any, text: string): unknown {
  const types = new Set([resolve(schema).type].flat());
  if (types.has("integer") && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (types.has("boolean") && /^(?:[Tt]rue|[Ff]alse|0|1)$/.test(text)) return /^[Tt1]/.test(text);
  return types.has("array") ? text.split(",").filter((one) => one !== "") : text;
}

/** Whether a value can be sent in a query or a path. */
const hasText = (value: unknown) =>
  Array.isArray(value)
    ? value.every((one) => typeof one === "string")
    : value !== null && typeof value !== "object";

const faultCodes = new Set(
  `invalid_type invalid_value invalid_format invalid_union invalid_key invalid_element too_small
  too_big not_multiple_of unrecognized_keys`.split(/\s+/),
);
/** A schema states lengths. Other rules behind `custom` have no keyword. */
const lengths = /^Must (?:not be empty|have at (?:least|most))/;

/** No keyword says which names of time zones there are. */
const unstatable = new Set([timeZoneError]);

/** Whether an answer refuses a field, and whether it names a rule that a schema can state. */
type Verdict = { isRefused: boolean; isStatable: boolean };

async function verdictOf(response: Response, field: string): Promise<Verdict> {
  if (isStream(response)) await response.body?.cancel();
  if (response.status !== 400) return { isRefused: false, isStatable: false };
  const { issues, failedAt }: Any = await response.json();
  const isOwn = (path: unknown[]) => path[0] === field || failedAt !== undefined;
  const own: Any[] = issues.filter(({ path }: Any) => isOwn(path ?? []));
  const isStatable = own.some(
    ({ code, message }) =>
      !unstatable.has(message) && (faultCodes.has(code) || lengths.test(message)),
  );
  return { isRefused: own.length > 0, isStatable };
}

let resources: ExampleResources | undefined;
/** The fields of several operations that were tried: the same field, with the same schema. */
const triedElsewhere = new Set<string>();

describe.each(routes)("%s", (name, route, operation) => {
  /** The required input, with one field changed. */
  async function inputFor({ name: field }: Field, value: unknown): Promise<Input> {
    resources ??= await createExampleResources(app());
    const input = await inputWith(name, operation, resources);
    const given = operation.parameters.filter(({ required }: Any) => required);
    const names = [...given.map((one: Any) => one.name), ...(bodyOf(operation).required ?? [])];
    const needed = Object.fromEntries(names.map((one: string) => [one, input[one]]));
    return { ...needed, [field]: value };
  }

  async function send({ name: field }: Field, input: Input): Promise<Verdict> {
    const isInBody = (one: string) => Object.hasOwn(bodyOf(operation).properties ?? {}, one);
    const body = Object.fromEntries(Object.entries(input).filter(([one]) => isInBody(one)));
    const inQuery = operation.parameters.filter(
      (one: Any) => one.in === "query" && one.name in input,
    );
    const query = new URLSearchParams(
      inQuery.map((one: Any) => [one.name, String(input[one.name])]),
    );
    const sent = { ids: input, query, body };
    const response = await app().fetch(
      requestOf(route, operation, resources?.user.token ?? "", sent),
    );
    const isGone = route.method === "DELETE" || name.startsWith("auth.");
    if (response.status === 200 && isGone && isConsuming(route)) resources = undefined;
    return verdictOf(response, field);
  }

  /** What is wrong with the answer for a value; the first forbidden value is sent too. */
  async function faultOf(field: Field, value: unknown, seen: { refusal: boolean }) {
    const isText = field.from !== "body";
    const read = isText ? parsed(field.schema, String(value)) : value;
    const isAllowed = allows(field.schema, read);
    if (isAllowed && reaching.test(name)) return [];
    const input = await inputFor(field, value);
    if (!isAllowed && seen.refusal && !isText) {
      const { error } = await route.schema.safeParseAsync(input);
      if (error?.issues.some(({ path }) => path[0] === field.name) === true) return [];
    }
    const { isRefused, isStatable } = await send(field, input);
    seen.refusal ||= isRefused;
    // No keyword says what is in a text of JSON.
    const isJson = field.schema.contentMediaType === "application/json";
    const isFine = isAllowed
      ? isJson || !isStatable
      : isRefused || allows(field.schema, inNormalForm(read, field.name));
    const about = `${field.name} ${isAllowed ? "refuses" : "accepts"}`;
    return isFine ? [] : [`${about} ${JSON.stringify(value).slice(0, 60)}`];
  }

  test(`${name} accepts what the document allows, and refuses what it forbids`, async () => {
    const faults: string[] = [];
    for (const one of fieldsOf(operation)) {
      const same = JSON.stringify(one);
      if (one.from !== "body" && triedElsewhere.has(same)) continue;
      triedElsewhere.add(same);
      resources ??= await createExampleResources(app());
      const field = { ...one, example: exampleOf(route, one, resources) };
      const values = new Map(
        valuesOf(field.schema, field.example).map((value) => [JSON.stringify(value), value]),
      );
      const seen = { refusal: false };
      for (const value of values.values()) {
        if (field.from !== "body" && !hasText(value)) continue;
        if (field.from === "path" && /^$|[/%]|^\.+$/.test(String(value))) continue;
        faults.push(...(await faultOf(field, value, seen)));
      }
    }
    if (isConsuming(route)) resources = undefined;
    expect(faults).toEqual([]);
  });
});
