import { isWholeDay } from "../../../contract/vocabulary/whole-days.ts";
import type { CustomField } from "../../../platform/db/rows.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { showCustomField } from "../../../domain/presenters/custom-fields.ts";
import { readIndex } from "../../../kernel/positions.ts";
import type { Permission } from "../../../contract/vocabulary/permissions.ts";
import { refsOf, type LookUp, type SourceRef } from "./identity.ts";
import type { SourceBoard, SourceCard, SourceField, SourceValue } from "./source.ts";
import { writeParts } from "./parts.ts";
import {
  announce,
  dateOfMoment,
  unchangedCard,
  type ImportedPart,
  type ImportStep,
  type InsertedCard,
} from "./step.ts";

/** The fields of a board, and their options, by their source ids. */
export const fieldRefs = ({ fields = [] }: SourceBoard): SourceRef[] => [
  ...refsOf("field", fields),
  ...fields.flatMap(({ options }) => refsOf("fieldOption", options)),
];

type Board = { id: bigint; publicId: string; name: string };

/** Writes the fields that a board does not have yet, after the others, and their options. */
export async function writeCustomFields(
  step: ImportStep,
  board: Board,
  fields: SourceField[],
  lookUp: LookUp,
  lacks: () => Permission | null,
): Promise<void> {
  const parent = { id: board.id, isNew: false, boardId: board.id };
  const writtenFields = await writeParts(step, lookUp, {
    kind: "field",
    parents: [[parent, fields]],
    lacks,
    nameOf: ({ name }) => name,
    skip({ publicId: sourceId, name, options }, _, reason) {
      step.report.skip({ kind: "field", sourceId, name, reason });
      for (const option of options) {
        const issue = { kind: "fieldOption", sourceId: option.publicId, name: option.name };
        step.report.skip({ ...issue, reason: "Its field was not imported.", detail: name });
      }
    },
    rowOf: (base, { name, type, unit, isShownOnCard }, { id: boardId }, position) => ({
      ...base,
      boardId,
      name,
      type,
      unit: unit || null,
      isShownOnCard,
      position,
    }),
  });
  const createdIds = new Map(writtenFields.map(({ item, row }) => [item.publicId, row.id]));
  const options = await writeParts(step, lookUp, {
    kind: "fieldOption",
    parents: fields.flatMap((field) => {
      const created = createdIds.get(field.publicId);
      const before = lookUp("field", field.publicId);
      const id = created ?? (before?.isLive === true ? before.targetId : undefined);
      const isNew = created !== undefined;
      return id === undefined ? [] : [[{ ...parent, id, isNew }, field.options] as const];
    }),
    lacks,
    nameOf: ({ name }) => name,
    rowOf: ({ version: _version, ...base }, { name, colourCode }, { id: fieldId }, position) => ({
      ...base,
      fieldId,
      name,
      colourCode,
      position,
    }),
  });
  for (const { row } of writtenFields) {
    const ownOptions = options
      .filter((option) => option.parent.id === row.id)
      .map(({ row: { publicId, name, colourCode } }) => ({ publicId, name, colourCode }));
    const to = { index: await readIndex(step.tx.query, "field", row.id) };
    announce(step, "field.created", { field: showCustomField(row, ownOptions), board, to });
  }
}

type Row = Record<string, unknown>;

/** The rows of a value; none if it is not of the type of its field. */
function rowsOf(
  { value }: SourceValue,
  type: CustomField["type"],
  { members, tx }: ImportStep,
  lookUp: LookUp,
): Row[] {
  if (typeof value === "number") return type === "number" ? [{ number: value }] : [];
  if (typeof value === "boolean") return type === "checkbox" ? [{ checked: value }] : [];
  if (Array.isArray(value))
    return value.flatMap((id) => {
      const option = lookUp("fieldOption", id);
      return option?.isLive === true ? [{ optionId: option.targetId }] : [];
    });
  const member = members.get(value);
  if (type === "member") return member === undefined ? [] : [{ memberId: member.id }];
  if (type === "date") return [{ date: dateOfMoment(value, tx.now), isAllDay: isWholeDay(value) }];
  return (type === "text" || type === "url") && value !== "" ? [{ text: value }] : [];
}

const columns = ["text", "number", "date", "isAllDay", "checked", "optionId", "memberId"];

/** Inserts the values of new cards, and reports those whose field or option is not here. */
async function insertValues(step: ImportStep, cards: InsertedCard[], lookUp: LookUp) {
  const { tx, target, report } = step;
  const types = await typesOf(step, cards, lookUp);
  const rows = cards.flatMap(({ card, row }) =>
    (card.fields ?? []).flatMap((value) => {
      const fieldId = lookUp("field", value.fieldPublicId)?.targetId;
      const type = fieldId === undefined ? undefined : types.get(fieldId);
      const valueRows = type === undefined ? [] : rowsOf(value, type, step, lookUp);
      if (valueRows.length > 0) report.add("cardField", "created");
      else {
        const reason = "Its field or its option is not here.";
        report.skip(issueOf(card, row.publicId, value, reason));
      }
      return valueRows.map((valueRow) => ({
        workspaceId: target.id,
        cardId: row.id,
        fieldId,
        type,
        ...Object.fromEntries(
          columns.map((column) => [
            column,
            valueRow[column] ?? (column === "isAllDay" ? false : null),
          ]),
        ),
      }));
    }),
  );
  const texts = cards.flatMap(({ card }) =>
    (card.fields ?? []).map(({ value }) => (typeof value === "string" ? value : "")),
  );
  await tx.copied.add(texts.map((text) => ({ bytes: Buffer.byteLength(text) })));
  await insertRows(tx.query, "card_field_values", rows, sql`ON CONFLICT DO NOTHING`);
}

const issueOf = (
  { publicId: sourceId, title: name }: SourceCard,
  cardPublicId: string,
  { detail }: SourceValue,
  reason: string,
) => ({ kind: "cardField", sourceId, name, reason, detail, cardPublicId });

/** The types of the live fields that cards name, by id. */
async function typesOf({ tx }: ImportStep, cards: { card: SourceCard }[], lookUp: LookUp) {
  const fieldIds = cards.flatMap(({ card }) =>
    (card.fields ?? []).map(({ fieldPublicId }) => fieldPublicId),
  );
  const ids = new Set(fieldIds.flatMap((id) => lookUp("field", id)?.targetId ?? []));
  type Typed = { id: bigint; type: CustomField["type"] };
  const rows =
    ids.size === 0
      ? []
      : await tx.query<Typed>(sql`SELECT id, type::text AS type FROM custom_fields
          WHERE id = ANY(${[...ids]}::bigint[]) AND "deletedAt" IS NULL`);
  return new Map(rows.map(({ id, type }) => [id, type]));
}

/** The values of custom fields on cards. */
export const fields: ImportedPart = {
  unnamed: { kind: "cardField", count: (card) => card.fields?.length ?? 0 },
  names: (card) =>
    (card.fields ?? []).flatMap(({ fieldPublicId, value }): SourceRef[] => [
      { kind: "field", sourceId: fieldPublicId },
      ...(Array.isArray(value) ? value : []).map(
        (sourceId) => ({ kind: "fieldOption", sourceId }) as const,
      ),
    ]),
  insert: insertValues,
  async count({ tx, report }, cards, lookUp) {
    const rows = await tx.query<{ pair: string }>(sql`
      SELECT DISTINCT "cardId" || ' ' || "fieldId" AS pair FROM card_field_values
      WHERE "cardId" = ANY(${cards.map(({ row }) => row.id)}::bigint[])`);
    const pairs = new Set(rows.map(({ pair }) => pair));
    for (const { card, row, outcome } of cards) {
      for (const value of card.fields ?? []) {
        const isHere = pairs.has(`${row.id} ${lookUp("field", value.fieldPublicId)?.targetId}`);
        if (isHere) report.add("cardField", outcome);
        else report.skip(issueOf(card, row.publicId, value, unchangedCard));
      }
    }
  },
};
