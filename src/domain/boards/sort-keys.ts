import { cardFields } from "../../contract/fields/card.ts";
import type { Field } from "../../contract/fields/field.ts";
import type { SortKey } from "../../contract/filter/sort.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { typeOf } from "../fields.ts";
import type { CustomFields, CustomFilterField } from "../filters/custom-fields.ts";

/** What rows are sorted by, in SQL. Rows without a value come last. */
export type Key = {
  by: Sql;
  type: Sql;
  isDescending: boolean;
  isNullable: boolean;
  /** Where its values are, if not on cards: a table `v`, whose index begins with `isOf`. */
  values?: { from: Sql; isOf: Sql; by: Sql; cardId: Sql };
};

const valuesOfTypes: { readonly [Type in CustomFilterField["type"]]?: [by: Sql, type: Sql] } = {
  text: [sql`left(v.text, 200)`, sql`text`],
  url: [sql`left(v.text, 200)`, sql`text`],
  number: [sql`v.number`, sql`numeric`],
  date: [sql`v.date`, sql`timestamptz`],
};

/** Whether cards can be sorted by a custom field. */
export const isSortable = ({ type }: CustomFilterField): boolean =>
  valuesOfTypes[type] !== undefined;

function keyOfCustom({ id, type }: CustomFilterField, isDescending: boolean): Key {
  const [by, sqlType] = valuesOfTypes[type] ?? [sql`NULL`, sql`text`];
  const from = sql`card_field_values v`;
  const isOf = sql`v."fieldId" = ${id} AND ${by} IS NOT NULL`;
  return {
    by: sql`(SELECT ${by} FROM ${from} WHERE v."cardId" = c.id AND v."fieldId" = ${id})`,
    type: sqlType,
    isDescending,
    isNullable: true,
    values: { from, isOf, by, cardId: sql`v."cardId"` },
  };
}

const fields: Readonly<Record<string, Field>> = cardFields;
const positions = [sql`l.position`, sql`c.position`];

function keysOfField({ field: name, order }: SortKey, custom?: CustomFields): Key[] {
  const isDescending = order === "desc";
  const named = custom?.get(name);
  if (named !== undefined) return [keyOfCustom(named, isDescending)];
  if (name === "position") {
    return positions.map((by) => ({ by, type: sql`numeric`, isDescending, isNullable: false }));
  }
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined) throw new Error(`Cards are not sorted by ${name}.`);
  const by = sql`c.${sql.identifier(field.column)}`;
  return [{ by, type: typeOf(field), isDescending, isNullable: name === "dueDate" }];
}

/** The keys of an order. Equal cards follow their ids, in the direction of the last key. */
export function keysOf(sort: readonly SortKey[], custom?: CustomFields): Key[] {
  const keys = sort.flatMap((key) => keysOfField(key, custom));
  const isDescending = keys.at(-1)?.isDescending === true;
  return [...keys, { by: sql`c.id`, type: sql`bigint`, isDescending, isNullable: false }];
}

const list = (fragments: readonly Sql[]) => sql.join(fragments, sql`, `);

/** SQL: the texts of the keys of a row, for the cursor. */
export const textsOf = (keys: readonly Key[]): Sql =>
  sql`ARRAY[${list(keys.map(({ by }) => sql`${by}::text`))}]`;

/** SQL: the order of keys. An index serves it, where it has values. */
export const orderOf = (keys: readonly Key[]): Sql =>
  list(
    keys.map(({ by, isDescending, isNullable }) => {
      const direction = isDescending ? sql`DESC` : sql`ASC`;
      return isNullable ? sql`${by} ${direction} NULLS LAST` : sql`${by} ${direction}`;
    }),
  );

/** Where the next page begins: behind these values of the keys, which are SQL. */
export type After = readonly (Sql | null)[];

/** SQL: whether a row comes behind some values of its keys. */
export function isAfter(keys: readonly Key[], after: After): Sql {
  const [key, ...others] = keys;
  const [value = null, ...rest] = after;
  if (key === undefined) return sql`false`;
  const isOneOrder = keys.every((one) => !one.isNullable && one.isDescending === key.isDescending);
  const operator = key.isDescending ? sql`<` : sql`>`;
  if (isOneOrder) {
    const values = after.map((one) => one ?? sql`NULL`);
    return sql`(${list(keys.map(({ by }) => by))}) ${operator} (${list(values)})`;
  }
  const { by, isNullable } = key;
  if (value === null) return sql`(${by} IS NULL AND ${isAfter(others, rest)})`;
  const isLater = isNullable
    ? sql`(${by} ${operator} ${value} OR ${by} IS NULL)`
    : sql`${by} ${operator} ${value}`;
  // The first one is what an index reads from.
  const isFrom = isNullable ? sql.empty : sql`${by} ${operator}= ${value} AND`;
  return sql`(${isFrom} (${isLater} OR (${by} = ${value} AND ${isAfter(others, rest)})))`;
}
