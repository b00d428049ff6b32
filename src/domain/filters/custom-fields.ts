import { filterIssues } from "../../contract/filter/check.ts";
import {
  builtIn,
  customFieldId,
  customKinds,
  type FilterField,
} from "../../contract/filter/fields.ts";
import { fold } from "../../contract/filter/fold.ts";
import { leavesOf, type FilterTree } from "../../contract/filter/tree.ts";
import type { Query } from "../../platform/db/query.ts";
import type { CustomField } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { invalidInput } from "../../platform/errors.ts";
import { groupBy } from "../../platform/maps.ts";
import { foldedSql } from "./folded-sql.ts";

/** A custom field that a filter or an order names. */
export type CustomFilterField = FilterField & Pick<CustomField, "id" | "boardId" | "type">;

/** The custom fields of a board that a filter or an order names, by these names. */
export type CustomFields = ReadonlyMap<string, CustomFilterField>;

type Row = Pick<CustomField, "id" | "publicId" | "boardId" | "type">;

/** The names of the custom fields in a filter. */
export const customNamesIn = (tree: FilterTree | undefined): string[] =>
  tree === undefined
    ? []
    : leavesOf(tree).flatMap(({ field }) => (customFieldId(field) === undefined ? [] : field));

/** Reads the fields with options that have the name of one of them, on boards `b` that are seen. */
export async function readSameNamed(
  query: Query,
  isSeen: Sql,
  { id }: CustomFilterField,
): Promise<CustomFields> {
  const rows = await query<Row>(sql`SELECT f.id, f."publicId", f."boardId", f.type
    FROM custom_fields f JOIN boards b ON b.id = f."boardId" AND ${isSeen}
    WHERE f."deletedAt" IS NULL AND f.type IN ('select', 'multiSelect')
      AND ${foldedSql(sql`f.name`)}
        = (SELECT ${foldedSql(sql`o.name`)} FROM custom_fields o WHERE o.id = ${id})`);
  return byName(rows);
}

/** The ids of the options of fields with a name, by the names of the fields. */
export async function readOptionsNamed(
  query: Query,
  fields: CustomFields,
  name: string,
): Promise<Map<string, string[]>> {
  const ids = [...fields.values()].map(({ id }) => id);
  const rows = await query<{ fieldId: string; publicId: string }>(sql`
    SELECT f."publicId" AS "fieldId", o."publicId" FROM custom_field_options o
    JOIN custom_fields f ON f.id = o."fieldId"
    WHERE o."fieldId" = ANY(${ids}::bigint[]) AND o."deletedAt" IS NULL
      AND ${foldedSql(sql`o.name`)} = ${fold(name)}`);
  return new Map(
    [...groupBy(rows, ({ fieldId }) => `fields.${fieldId}`)].map(([field, options]) => [
      field,
      options.map(({ publicId }) => publicId),
    ]),
  );
}

const byName = (rows: readonly Row[]): CustomFields =>
  new Map(
    rows.map(({ publicId, ...field }) => [
      `fields.${publicId}`,
      { ...customKinds[field.type], ...field },
    ]),
  );

/**
 * Reads custom fields by their names, those of the boards that a condition on `f` selects, and
 * checks their conditions: 400 with the paths of the wrong ones, of a tree that the input has `at`.
 */
export async function readCustomFields(
  query: Query,
  isOf: Sql,
  names: readonly string[],
  tree?: FilterTree,
  at: readonly string[] = ["filter"],
): Promise<CustomFields> {
  const ids = [...new Set(names.flatMap((name) => customFieldId(name) ?? []))];
  if (ids.length === 0) return new Map();
  const rows =
    await query<Row>(sql`SELECT f.id, f."publicId", f."boardId", f.type FROM custom_fields f
    WHERE f."publicId" = ANY(${ids}::text[]) AND f."deletedAt" IS NULL AND ${isOf}`);
  const fields = byName(rows);
  const issues =
    tree === undefined ? [] : filterIssues(tree, (name) => builtIn(name) ?? fields.get(name));
  if (issues.length > 0) {
    throw invalidInput(
      issues.map(({ message, path }) => ({
        message,
        path: [...at, ...path],
        code: "invalid_value",
      })),
    );
  }
  return fields;
}
