import { maxFieldText, type FieldValues } from "../../contract/resources/custom-fields.ts";
import { plannedDate } from "../../contract/vocabulary/texts.ts";
import { dateText, isWholeDay } from "../../contract/vocabulary/whole-days.ts";
import { checkMembersSee } from "../../kernel/access/assignees.ts";
import type { Changes } from "../../kernel/events/pending-event.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import type { CustomField } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { Failure, invalidInput, issueOfMissing, type InputIssue } from "../../platform/errors.ts";
import { addValue, allValues, isShownOn, valueWithIds } from "../parts/custom-field-values.ts";
import type { NamedRow } from "../parts/part.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** The values that an input gives, by the ids of their fields. */
export type ValuesInput = { [fieldPublicId: string]: FieldValues[string] | null };

type Type = CustomField["type"];
type Field = Pick<CustomField, "id" | "publicId" | "name"> & { type: Type };
type Tx = Pick<UnitOfWork, "query">;
type Card = { id: bigint; workspaceId: bigint };
/** The columns of one row. */
type Stored = {
  [Column in (typeof columns)[number]]?: unknown;
};
/** The rows of a value that options and members by their ids make complete; null if it is wrong. */
type ReadValue = (value: FieldValues[string], ids: Ids) => Stored[] | null;
type Ids = { options: ReadonlyMap<string, bigint>; members: ReadonlyMap<string, bigint> };

const isText = (value: unknown): value is string => typeof value === "string";
/** An empty text is no value. */
const textRows = (text: string) => (text === "" ? [] : [{ text }]);
const date = plannedDate("A date");

const option = (value: unknown, { options }: Ids): Stored[] | null => {
  const optionId = typeof value === "string" ? options.get(value) : undefined;
  return optionId === undefined ? null : [{ optionId }];
};

/** What each type expects, and how its values become rows. */
const types: Readonly<Record<Type, { expects: string; rows: ReadValue }>> = {
  text: {
    expects: `a text of at most ${maxFieldText.toLocaleString("en")} characters`,
    rows: (value) => (isText(value) ? textRows(value) : null),
  },
  url: {
    expects: "an http or https URL",
    rows: (value) =>
      value === "" || (isText(value) && /^https?:\/\//i.test(value) && URL.canParse(value))
        ? textRows(value)
        : null,
  },
  number: {
    expects: "a number",
    rows: (value) => (typeof value === "number" ? [{ number: value }] : null),
  },
  date: {
    expects: "a date, such as 2026-02-27 or 2026-02-27T16:00:00.000Z",
    rows: (value) => {
      const { data } = date.safeParse(value);
      return typeof data === "string"
        ? [{ date: new Date(data), isAllDay: isWholeDay(data) }]
        : null;
    },
  },
  checkbox: {
    expects: "true or false",
    rows: (value) => (typeof value === "boolean" ? [{ checked: value }] : null),
  },
  select: { expects: "the id of one of its options", rows: option },
  multiSelect: {
    expects: "a list of ids of its options",
    rows(value, ids) {
      if (!Array.isArray(value)) return null;
      const rows = [...new Set(value)].map((optionId) => option(optionId, ids));
      return rows.some((row) => row === null) ? null : rows.flatMap((row) => row ?? []);
    },
  },
  member: {
    expects: "the id of a member of the workspace",
    rows(value, { members }) {
      const memberId = typeof value === "string" ? members.get(value) : undefined;
      return memberId === undefined ? null : [{ memberId }];
    },
  },
};

/**
 * Gives locked cards of a board some values of its fields; answers what changes on each card.
 *
 * 404 for a field of another board, 400 for a value that is not of its type.
 */
export async function setFieldValues(
  tx: Tx,
  boardId: bigint,
  cards: Card[],
  values: ValuesInput | undefined,
  path: string[] = ["fields"],
): Promise<Map<bigint, Changes>> {
  const names = Object.keys(values ?? {});
  const [first] = cards;
  if (values === undefined || names.length === 0 || first === undefined) return new Map();
  const fields = await lockCustomFields(tx, boardId, names, path);
  const rows = await rowsOf(tx, { boardId, workspaceId: first.workspaceId }, fields, values, path);
  const before = await readValues(tx, cards, fields);
  const changes = new Map<bigint, Changes>();
  const changedValues: { card: Card; field: Field }[] = [];
  for (const card of cards) {
    for (const field of fields) {
      const { publicId } = field;
      const change = {
        from: before.get(card.id)?.[publicId] ?? null,
        to: rows.get(field.id)?.shown,
      };
      if (JSON.stringify(change.from) === JSON.stringify(change.to)) continue;
      changes.set(card.id, { ...changes.get(card.id), [`fields.${publicId}`]: change });
      changedValues.push({ card, field });
    }
  }
  await replace(tx, changedValues, (field) => rows.get(field.id)?.stored ?? []);
  return changes;
}

/** The fields of an input, which cannot be deleted meanwhile: then the transaction runs again. */
async function lockCustomFields(
  { query }: Tx,
  boardId: bigint,
  names: string[],
  path: string[],
): Promise<Field[]> {
  const fields = await query<Field>(sql`SELECT id, "publicId", name, type::text AS type
    FROM custom_fields
    WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL AND "publicId" = ANY(${names}::text[])
    ORDER BY id FOR SHARE NOWAIT`);
  const fieldIds = new Set(fields.map(({ publicId }) => publicId));
  const missing = names.filter((name) => !fieldIds.has(name));
  if (missing.length > 0) {
    const issues = missing.map((name) => issueOfMissing("field", name, [...path, name]));
    throw new Failure("NOT_FOUND", issues);
  }
  return fields;
}

/** A value as it is shown, and its rows. */
type Value = { shown: FieldValues[string] | null; stored: Stored[] };

/** The rows of each value of an input; 400 names the field and what it expects. */
async function rowsOf(
  { query }: Tx,
  { boardId, workspaceId }: { boardId: bigint; workspaceId: bigint },
  fields: Field[],
  valuesInput: ValuesInput,
  path: string[],
): Promise<Map<bigint, Value>> {
  const idsIn = (...fieldTypes: Type[]) =>
    fields.flatMap(({ publicId, type }) => {
      const value = fieldTypes.includes(type) ? valuesInput[publicId] : null;
      return [value ?? []].flat().filter((id) => typeof id === "string");
    });
  const [optionIds, memberIds] = [idsIn("select", "multiSelect"), idsIn("member")];
  type Row = { id: bigint; publicId: string; fieldId?: bigint };
  const options =
    optionIds.length === 0
      ? []
      : await query<Row>(sql`SELECT id, "publicId", "fieldId" FROM custom_field_options
          WHERE "fieldId" = ANY(${fields.map(({ id }) => id)}::bigint[])
            AND "deletedAt" IS NULL AND "publicId" = ANY(${optionIds}::text[])
          ORDER BY position, id`);
  const members =
    memberIds.length === 0
      ? []
      : await query<Row>(sql`SELECT id, "publicId" FROM members
          WHERE "workspaceId" = ${workspaceId} AND status <> 'removed'
            AND "publicId" = ANY(${memberIds}::text[])`);
  const byId = (rows: Row[]) => new Map(rows.map(({ id, publicId }) => [publicId, id]));
  const issues: InputIssue[] = [];
  const values = new Map<bigint, Value>();
  for (const field of fields) {
    const value = valuesInput[field.publicId] ?? null;
    const ownOptions = options.filter(({ fieldId }) => fieldId === field.id);
    const { expects, rows } = types[field.type];
    const ids = { options: byId(ownOptions), members: byId(members) };
    const valueRows = value === null ? [] : rows(value, ids);
    if (valueRows === null) {
      const message = `The field "${field.name}" expects ${expects}.`;
      issues.push({ message, path: [...path, field.publicId], code: "invalid_value" });
    } else
      values.set(field.id, { shown: shownOf(value, valueRows, ownOptions), stored: valueRows });
  }
  if (issues.length > 0) throw invalidInput(issues);
  if (members.length > 0) {
    const publicIdOf = new Map(members.map(({ id, publicId }) => [id, publicId]));
    const fieldOf = (memberId: bigint) =>
      fields.find(
        ({ publicId, type }) =>
          type === "member" && valuesInput[publicId] === publicIdOf.get(memberId),
      );
    const pathOf = (memberId: bigint) => [...path, fieldOf(memberId)?.publicId ?? ""];
    await checkMembersSee(query, boardId, [...publicIdOf.keys()], pathOf);
  }
  return values;
}

/** A value as cards show it: options in their order. */
function shownOf(
  value: FieldValues[string] | null,
  [first]: Stored[],
  options: { publicId: string }[],
): Value["shown"] {
  if (first === undefined) return null;
  if (first.date instanceof Date) return dateText(first.date, first.isAllDay === true);
  if (Object.is(value, -0)) return 0;
  if (!Array.isArray(value)) return value;
  return options.flatMap(({ publicId }) => (value.includes(publicId) ? publicId : []));
}

/** The values of some fields on cards. */
async function readValues(
  { query }: Tx,
  cards: Card[],
  fields: Field[],
): Promise<Map<bigint, FieldValues>> {
  const rows = await query<NamedRow & { cardId: bigint }>(sql`
    SELECT v."cardId", f."publicId", f.type::text AS name, ${valueWithIds} AS extra
    FROM ${allValues} WHERE ${isShownOn(sql`ANY(${cards.map(({ id }) => id)}::bigint[])`)}
      AND f.id = ANY(${fields.map(({ id }) => id)}::bigint[])`);
  const byCard = new Map<bigint, FieldValues>();
  for (const row of rows)
    addValue(
      getOrInsert(byCard, row.cardId, () => ({})),
      row,
    );
  return byCard;
}

const columns = ["text", "number", "date", "isAllDay", "checked", "optionId", "memberId"] as const;

/** Replaces the rows of fields on cards, those that are not shown as well. */
async function replace(
  { query }: Tx,
  changedValues: { card: Card; field: Field }[],
  storedOf: (field: Field) => Stored[],
): Promise<void> {
  if (changedValues.length === 0) return;
  await query(sql`DELETE FROM card_field_values v
    USING unnest(${changedValues.map(({ card }) => card.id)}::bigint[],
      ${changedValues.map(({ field }) => field.id)}::bigint[]) AS old("cardId", "fieldId")
    WHERE v."cardId" = old."cardId" AND v."fieldId" = old."fieldId"`);
  const rows = changedValues.flatMap(({ card, field }) =>
    storedOf(field).map((row) => ({
      workspaceId: card.workspaceId,
      cardId: card.id,
      fieldId: field.id,
      type: field.type,
      ...Object.fromEntries(
        columns.map((column) => [column, row[column] ?? (column === "isAllDay" ? false : null)]),
      ),
    })),
  );
  await insertRows(query, "card_field_values", rows);
}
