import { z } from "zod";
import type { Permission } from "../../contract/vocabulary/permissions.ts";
import { viewPermissionOf } from "../../contract/vocabulary/view-permissions.ts";
import { getOrInsert } from "../../platform/maps.ts";

type Schema = z.core.$ZodType;
type Permissions = ReadonlySet<Permission>;

/** A value that the caller may not see. */
const hidden = Symbol("hidden");

/** The schemas directly within a schema. */
export function schemaParts(schema: Schema): Schema[] {
  if (schema instanceof z.ZodObject) return Object.values<Schema>(schema.shape);
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return [schema.unwrap()];
  if (schema instanceof z.ZodUnion) return [...schema.options];
  return [];
}

const viewPermissions = new WeakMap<Schema, ReadonlySet<Permission>>();

/** The permissions that seeing every part of a schema's values requires. */
export function viewPermissionsIn(schema: Schema): ReadonlySet<Permission> {
  return getOrInsert(viewPermissions, schema, () => {
    const permission = viewPermissionOf(schema);
    const all = new Set(schemaParts(schema).flatMap((part) => [...viewPermissionsIn(part)]));
    return permission === undefined ? all : all.add(permission);
  });
}

/** Whether a hidden value of a schema is 0 or null, and hides nothing around it. */
const isEmptied = (schema: Schema) =>
  schema instanceof z.ZodNumber || schema instanceof z.ZodNullable;

/** The permissions without which nothing of a schema's values can be shown. */
export function requiredToView(schema: Schema): ReadonlySet<Permission> {
  if (isEmptied(schema)) return new Set();
  const permission = viewPermissionOf(schema);
  const parts = schema instanceof z.ZodObject ? schemaParts(schema) : [];
  const all = new Set(parts.flatMap((part) => [...requiredToView(part)]));
  if (permission !== undefined) all.add(permission);
  return all;
}

/**
 * What a caller may see of an output: it hides the values whose permission the caller lacks.
 *
 * An array loses its hidden items, a nullable value becomes null, an optional field is left out,
 * and a count or a position becomes 0.
 * The policy row requires what the output itself needs, so that only its parts are checked.
 */
export function filterOutput(schema: Schema, value: unknown, may: Permissions): unknown {
  if ([...viewPermissionsIn(schema)].every((permission) => may.has(permission))) return value;
  const visible = filterParts(schema, value, may);
  if (visible === hidden) throw new Error("The policy row requires no permission for this output.");
  return visible;
}

/** What a caller may see of a field; undefined for nothing. */
export function filterField(schema: Schema, value: unknown, may: Permissions): unknown {
  const visible = filter(schema, value, may);
  return visible === hidden ? undefined : visible;
}

function filter(schema: Schema, value: unknown, may: Permissions): unknown {
  const permission = viewPermissionOf(schema);
  if (permission === undefined || may.has(permission)) return filterParts(schema, value, may);
  if (schema instanceof z.ZodNullable) return null;
  return schema instanceof z.ZodNumber ? 0 : hidden;
}

function filterParts(schema: Schema, value: unknown, may: Permissions): unknown {
  const isPlain = schemaParts(schema).every((part) => viewPermissionsIn(part).size === 0);
  if (isPlain || value === null || value === undefined) return value;
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => filter(schema.element, item, may)).filter((item) => item !== hidden);
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const visible = filter(schema.unwrap(), value, may);
    if (visible !== hidden) return visible;
    return schema instanceof z.ZodNullable ? null : undefined;
  }
  if (schema instanceof z.ZodObject && typeof value === "object") {
    return filterFields(schema, value, may);
  }
  throw new Error(`An output with view permissions cannot be a ${schema.constructor.name}.`);
}

function filterFields(schema: z.ZodObject, value: object, may: Permissions): unknown {
  const fields: Record<string, unknown> = { ...value };
  for (const [name, part] of Object.entries<Schema>(schema.shape)) {
    if (viewPermissionsIn(part).size === 0) continue;
    const visible = filter(part, fields[name], may);
    if (visible === hidden) return hidden;
    if (visible === undefined) delete fields[name];
    else fields[name] = visible;
  }
  return fields;
}
