import { z } from "zod";
import { catalog, eventTypes } from "../../contract/events.ts";
import { getOrInsert } from "../../platform/maps.ts";

type Fields = Record<string, unknown>;
type Schema = z.core.$ZodType;

/**
 * A resource in the data of an event: its fields in the order in which PostgreSQL keeps them, what
 * is empty in each that may be left out, the fields that every stored one has, and the things
 * within it.
 */
type Resource = {
  order: Set<string>;
  empty: Map<string, unknown>;
  always: string[];
  inner: [string, Resource][];
};

/** What says that there is nothing, by the kind of a required field; undefined for a text. */
function emptyOf(schema: Schema): unknown {
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodBoolean) return false;
  if (schema instanceof z.ZodNumber) return 0;
  if (schema instanceof z.ZodArray) return [];
  if (schema instanceof z.ZodRecord) return {};
  if (!(schema instanceof z.ZodObject)) return undefined;
  const parts = Object.entries<Schema>(schema.shape).map(([name, part]) => [name, emptyOf(part)]);
  return parts.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(parts);
}

/** PostgreSQL keeps the keys of an object by their length, then by their bytes. */
const inOrder = (names: string[]) =>
  names.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1));

function resourceOf(schema: Schema): Resource | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return resourceOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return resourceOf(schema.element);
  if (!(schema instanceof z.ZodObject)) return undefined;
  const fields = Object.entries<Schema>(schema.shape);
  const required = fields.filter(([, field]) => !(field instanceof z.ZodOptional));
  const empty = new Map(
    required.flatMap(([name, field]) => {
      const value = emptyOf(field);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const always = required.flatMap(([name]) => (empty.has(name) ? [] : [name]));
  const inner = fields.flatMap(([name, field]): [string, Resource][] => {
    const resource = resourceOf(field);
    return resource === undefined || !mayLack(resource) ? [] : [[name, resource]];
  });
  return { order: new Set(inOrder(fields.map(([name]) => name))), empty, always, inner };
}

/** Whether it, or a thing within it, has a field that may be left out. */
const mayLack = ({ empty, inner }: Resource): boolean => empty.size > 0 || inner.length > 0;

const resources = new Map<string, Map<string, Resource>>();
/** The resources in the data of an event; an event of a user has none. */
const resourcesOf = (type: string) =>
  getOrInsert(resources, type, () => {
    const event = eventTypes.find((one) => one === type);
    if (event === undefined) return new Map();
    const fields = Object.entries<Schema>(catalog[event].data.shape);
    return new Map(
      fields.flatMap(([name, schema]) => {
        const resource = resourceOf(schema);
        return resource === undefined || !mayLack(resource) ? [] : [[name, resource]];
      }),
    );
  });

const isObject = (value: unknown) => typeof value === "object" && value !== null;
const isFields = (value: unknown): value is Fields => isObject(value) && !Array.isArray(value);

/** Whether a value is the empty one of its field; that one is small, so it is compared as JSON. */
const isEqual = (value: unknown, empty: unknown): boolean =>
  value === empty || (isObject(value) && JSON.stringify(value) === JSON.stringify(empty));

const isWhole = (value: Fields, { always }: Resource) => always.every((name) => name in value);

/** The data of an event as it is stored: what is empty is left out, about a third of it. */
export function storedData(type: string, data: Fields): Fields {
  const stored = { ...data };
  for (const [name, resource] of resourcesOf(type)) {
    const value = data[name];
    if (!isFields(value) || !isWhole(value, resource)) continue;
    stored[name] = Object.fromEntries(
      Object.entries(value).filter(([field, part]) => {
        const empty = resource.empty.get(field);
        return empty === undefined || !isEqual(part, empty);
      }),
    );
  }
  return stored;
}

/**
 * The data of an event as it was written, with what events of before do not say, as there was
 * nothing. Of a resource that was erased, only the id is left.
 */
export function wholeData(type: string, data: Fields): Fields {
  const whole = { ...data };
  for (const [name, resource] of resourcesOf(type)) {
    const value = data[name];
    if (!isFields(value)) whole[name] = completed(value, resource);
    else if (isWhole(value, resource)) whole[name] = wholeOf(value, resource);
  }
  return whole;
}

/** A thing within a resource, or many: the same unless it lacks a field. */
function completed(value: unknown, resource: Resource): unknown {
  if (Array.isArray(value)) {
    const next = value.map((one: unknown) => completed(one, resource));
    return next.some((one, nth) => one !== value[nth]) ? next : value;
  }
  if (!isFields(value) || !isWhole(value, resource)) return value;
  const lacks = [...resource.empty.keys()].some((name) => !(name in value));
  return lacks ? wholeOf(value, resource) : withInner(value, resource);
}

function withInner(value: Fields, { inner }: Resource): Fields {
  const changed = inner.flatMap(([name, resource]) => {
    const next = completed(value[name], resource);
    return next === value[name] ? [] : [[name, next] as const];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}

function wholeOf(value: Fields, resource: Resource): Fields {
  const { order, empty } = resource;
  const whole: Fields = {};
  const names = Object.keys(value).every((name) => order.has(name))
    ? order
    : inOrder([...new Set([...order, ...Object.keys(value)])]);
  for (const name of names) {
    if (name in value) whole[name] = value[name];
    else if (empty.has(name)) whole[name] = copyOf(empty.get(name));
  }
  return withInner(whole, resource);
}

/** A value of its own: whoever gets an event may change it. */
function copyOf(empty: unknown): unknown {
  if (Array.isArray(empty)) return [];
  return isFields(empty) ? { ...empty } : empty;
}

/** A row of the log with its whole data. */
export const whole = <Row extends { type: string; data: Fields }>(row: Row): Row => ({
  ...row,
  data: wholeData(row.type, row.data),
});
