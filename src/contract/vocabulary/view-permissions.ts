import { z } from "zod";
import type { Permission } from "./permissions.ts";

const views = z.registry<{ permission: Permission }>();

/** Declares that only callers with a permission may see values of a schema. */
export function viewedWith<Schema extends z.ZodType>(
  permission: Permission,
  schema: Schema,
): Schema {
  views.add(schema, { permission });
  return schema;
}

/** The permission that seeing values of a schema requires, if any. */
export const viewPermissionOf = (schema: z.core.$ZodType): Permission | undefined =>
  views.get(schema)?.permission;
