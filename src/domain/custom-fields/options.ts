import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { publicId as newId } from "../../platform/db/public-id.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import type { Query } from "../../platform/db/query.ts";
import type { CustomField } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { badRequest } from "../../platform/errors.ts";
import type { OptionView } from "../presenters/custom-fields.ts";

type OptionInput = {
  publicId?: string | undefined;
  name: string;
  colourCode?: string | null | undefined;
};
type OptionRow = OptionView & { id: bigint; isLive: boolean };

/** SQL: the live options of the field with an id, as JSON in their order. */
export const optionsOf = (fieldId: Sql): Sql => sql`coalesce((
  SELECT json_agg(json_build_object('publicId', o."publicId", 'name', o.name,
    'colourCode', o."colourCode") ORDER BY o.position, o.id)
  FROM custom_field_options o WHERE o."fieldId" = ${fieldId} AND o."deletedAt" IS NULL), '[]')`;

/** Reads the live options of a field. */
export async function readOptions(query: Query, fieldId: bigint): Promise<OptionView[]> {
  const [row] = await query<{ options: OptionView[] }>(
    sql`SELECT ${optionsOf(sql`${fieldId}::bigint`)} AS options`,
  );
  return row?.options ?? [];
}

/** Throws 400 for options, or a unit, that a field of this type does not have. */
export function checkKind(
  type: CustomField["type"],
  { options, unit }: { options?: unknown; unit?: string | null | undefined },
): void {
  if (options !== undefined && type !== "select" && type !== "multiSelect") {
    const message = "Only select and multiSelect fields have options.";
    throw badRequest("custom", message, ["options"]);
  }
  if (typeof unit === "string" && type !== "number")
    throw badRequest("custom", "Only number fields have a unit.", ["unit"]);
}

/** Inserts the options of a new field, in order, and answers them. */
export async function insertOptions(
  tx: Pick<UnitOfWork, "query" | "now">,
  field: Pick<CustomField, "id" | "workspaceId" | "createdById">,
  newOptions: OptionInput[],
): Promise<OptionView[]> {
  const options = newOptions.map(({ name, colourCode = null }) => ({
    publicId: newId(),
    name,
    colourCode,
  }));
  await insertPlaced(
    tx,
    field,
    options.map((option, nth) => ({ ...option, position: nth + 1 })),
  );
  return options;
}

const insertPlaced = (
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  {
    id: fieldId,
    workspaceId,
    createdById,
  }: Pick<CustomField, "id" | "workspaceId" | "createdById">,
  options: (OptionView & { position: number })[],
) => {
  const times = { createdAt: now, updatedAt: now };
  const rows = options.map((option) => ({
    ...option,
    fieldId,
    workspaceId,
    createdById,
    ...times,
  }));
  return insertRows(query, "custom_field_options", rows);
};

/** What a change makes of the options of a locked field. */
export type OptionsChange = {
  before: OptionView[];
  after: OptionView[];
  /** The cards whose values are no longer shown. */
  clearedCards: number;
};

/**
 * Makes the options of a locked field those of an input, in its order.
 *
 * An option that is left out is deleted; its values are hidden, and come back with it.
 */
export async function changeOptions(
  tx: Pick<UnitOfWork, "query" | "now">,
  field: CustomField,
  optionsInput: OptionInput[],
  createdById: bigint,
): Promise<OptionsChange> {
  const inputIds = optionsInput.flatMap(({ publicId }) => publicId ?? []);
  const rows = await tx.query<OptionRow>(sql`SELECT id, "publicId", name, "colourCode",
      "deletedAt" IS NULL AS "isLive"
    FROM custom_field_options
    WHERE "fieldId" = ${field.id} AND ("deletedAt" IS NULL OR "publicId" = ANY(${inputIds}::text[]))
    ORDER BY position, id`);
  const rowsById = new Map(rows.map((row) => [row.publicId, row]));
  const unknown = optionsInput.findIndex(
    ({ publicId }) => publicId !== undefined && !rowsById.has(publicId),
  );
  if (unknown >= 0) {
    const message = "The field has no option with this id.";
    throw badRequest("invalid_value", message, ["options", unknown, "publicId"]);
  }
  const placedOptions = optionsInput.map(({ publicId, name, colourCode }, nth) => {
    const row = publicId === undefined ? undefined : rowsById.get(publicId);
    return {
      id: row?.id,
      publicId: row?.publicId ?? newId(),
      name,
      colourCode: colourCode === undefined ? (row?.colourCode ?? null) : colourCode,
      position: nth + 1,
    };
  });
  const live = rows.filter(({ isLive }) => isLive);
  const keptIds = new Set(placedOptions.map(({ publicId }) => publicId));
  const removed = live.filter(({ publicId }) => !keptIds.has(publicId)).map(({ id }) => id);
  const clearedCards = await removeOptions(tx, field.id, removed);
  const old = placedOptions.filter(({ id }) => id !== undefined);
  void tx.query(sql`UPDATE custom_field_options o SET name = new.name,
      "colourCode" = new.colour, position = new.position, "deletedAt" = NULL,
      "updatedAt" = ${tx.now}::timestamptz
    FROM unnest(${old.map(({ id }) => id ?? null)}::bigint[], ${old.map(({ name }) => name)}::text[],
      ${old.map(({ colourCode }) => colourCode)}::text[],
      ${old.map(({ position }) => position)}::int[]) AS new(id, name, colour, position)
    WHERE o.id = new.id`);
  const addedOptions = placedOptions.flatMap(({ id, ...option }) =>
    id === undefined ? [option] : [],
  );
  await insertPlaced(tx, { ...field, createdById }, addedOptions);
  return { before: live.map(viewOption), after: placedOptions.map(viewOption), clearedCards };
}

/** Moves options to the trash; answers how many cards had one. */
async function removeOptions(
  { query, now }: Pick<UnitOfWork, "query" | "now">,
  fieldId: bigint,
  ids: bigint[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const count = await countCards(query, fieldId, ids);
  void query(sql`UPDATE custom_field_options SET "deletedAt" = ${now}::timestamptz
    WHERE id = ANY(${ids}::bigint[])`);
  return count;
}

const viewOption = ({ publicId, name, colourCode }: OptionView): OptionView => ({
  publicId,
  name,
  colourCode,
});

/** Counts the live cards that have values of a field, or of some of its options. */
export async function countCards(
  query: Query,
  fieldId: bigint,
  optionIds?: bigint[],
): Promise<number> {
  const ofOptions =
    optionIds === undefined ? sql.empty : sql`AND v."optionId" = ANY(${optionIds}::bigint[])`;
  const [row] = await query<{ count: number }>(sql`SELECT count(DISTINCT v."cardId")::int AS count
    FROM card_field_values v JOIN cards c ON c.id = v."cardId" AND c."deletedAt" IS NULL
    WHERE v."fieldId" = ${fieldId} ${ofOptions}`);
  return row?.count ?? 0;
}
