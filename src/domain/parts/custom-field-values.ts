import type { FieldValues } from "../../contract/resources/custom-fields.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { isoText } from "../../platform/db/iso-text.ts";
import type { CustomField } from "../../platform/db/rows.ts";
import type { NamedRow } from "./part.ts";
import type { OnCard } from "./rows-sql.ts";

/** A value of a card, as it is read. */
export type FieldRow = OnCard & {
  fieldPublicId: string;
  type: CustomField["type"];
  isShownOnCard: boolean;
  text: string;
  /** The name of an option or of a member. */
  nameOfId: string | null;
};
/** A value, and the same with names instead of ids. */
export type FieldThing = FieldRow & Record<"value" | "named", FieldValues[string]>;

/** SQL: the values of live fields, with their options and members. */
const valuesOf = (isShown = sql.empty): Sql => sql`card_field_values v
  JOIN custom_fields f ON f.id = v."fieldId" AND f."deletedAt" IS NULL ${isShown}
  LEFT JOIN custom_field_options o ON o.id = v."optionId" AND o."deletedAt" IS NULL
  LEFT JOIN members m ON m.id = v."memberId" AND m.status <> 'removed'`;
/** SQL: those that lists of cards show. */
export const shownOnCards = valuesOf(sql`AND f."isShownOnCard"`);
/** SQL: those of all live fields. */
export const allValues = valuesOf();

/** SQL: which of the values are on a card: an option must be live, and a member still there. */
export const isOn = (cardId: Sql): Sql => sql`v."cardId" = ${cardId}
  AND (v."optionId" IS NULL OR o.id IS NOT NULL) AND (v."memberId" IS NULL OR m.id IS NOT NULL)`;

/** SQL: a value as a text; `option` is what is shown of an option. */
export const valueText = (option: Sql): Sql => sql`coalesce(v.text, v.number::text,
  CASE WHEN v."isAllDay" THEN to_char(v.date AT TIME ZONE 'UTC', 'YYYY-MM-DD')
    ELSE ${isoText(sql`v.date`)} END, v.checked::text, ${option}, m."publicId")`;
const ofSameField = sql`card_field_values w
  JOIN custom_field_options l ON l.id = w."optionId" AND l."deletedAt" IS NULL
  WHERE w."cardId" = v."cardId" AND w."fieldId" = v."fieldId"`;

/** SQL: which of the values are on a card, of a `multiSelect` field the first of its options. */
export const isShownOn = (cardId: Sql): Sql => sql`${isOn(cardId)} AND (f.type <> 'multiSelect'
  OR v.id = (SELECT min(w.id) FROM ${ofSameField}))`;

/** SQL: a shown value as a text with ids; of a `multiSelect` field, its options as JSON. */
export const valueWithIds: Sql = sql`CASE WHEN f.type = 'multiSelect'
  THEN (SELECT json_agg(l."publicId" ORDER BY l.position, l.id)::text FROM ${ofSameField})
  ELSE ${valueText(sql`o."publicId"`)} END`;

/** SQL: the same; of a `multiSelect` field, its options as JSON with their names. */
export const valueWithNames: Sql = sql`CASE WHEN f.type = 'multiSelect'
  THEN (SELECT json_agg(json_build_array(l."publicId", l.name) ORDER BY l.position, l.id)::text
    FROM ${ofSameField})
  ELSE ${valueText(sql`o."publicId"`)} END`;

/** The value of a text that PostgreSQL sends. */
export function valueOfText(type: string, text: string): FieldValues[string] {
  if (type === "number") return Number(text);
  if (type === "multiSelect") return JSON.parse(text);
  return type === "checkbox" ? text === "true" : text;
}

/** Adds a shown value to those of a card, by the ids of their fields. */
export function addValue(
  values: Record<string, unknown>,
  { publicId, name, extra: text }: NamedRow,
): void {
  if (text !== null) values[publicId] = valueOfText(name, text);
}
