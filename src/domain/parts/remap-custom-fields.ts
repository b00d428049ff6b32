import type { AccessibleList } from "../../kernel/access/accessible-list.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";
import { allValues, isOn, valueOfText, valueText } from "./custom-field-values.ts";
import type { DroppedField, MovedParts } from "./part.ts";
import { getOrInsert } from "../../platform/maps.ts";

type Value = {
  id: bigint;
  cardId: bigint;
  fieldId: bigint;
  name: string;
  type: DroppedField["type"];
  option: string | null;
  text: string;
};
type Target = { id: bigint; name: string; type: string; options: Record<string, string> };

/** The values of cards of other boards, which are shown; in the order of their fields. */
const valuesOf = (cardIds: bigint[], boardId: bigint) => sql`SELECT v.id, v."cardId", v."fieldId",
    f.name, f.type::text AS type, o.name AS option, ${valueText(sql`o.name`)} AS text
  FROM ${allValues} WHERE ${isOn(sql`ANY(${cardIds}::bigint[])`)} AND f."boardId" <> ${boardId}
  ORDER BY v."cardId", f.position, o.position`;

// A field that is about to be deleted makes the transaction run again.
const lockedFields = (boardId: bigint) => sql`SELECT f.id, f.name, f.type::text AS type,
    (SELECT coalesce(json_object_agg(o.name, o.id::text ORDER BY o.position DESC), '{}')
      FROM custom_field_options o WHERE o."fieldId" = f.id AND o."deletedAt" IS NULL) AS options
  FROM custom_fields f WHERE f."boardId" = ${boardId} AND f."deletedAt" IS NULL
  ORDER BY f.position DESC FOR SHARE OF f NOWAIT`;

type Move = { id: bigint; fieldId: bigint; optionId: bigint | null };

/**
 * Gives cards that have moved to another board the fields of that board with the same name and
 * type, and their options of the same name. Answers what has no such field or option.
 */
export async function remapCustomFields(
  { tx }: { tx: Pick<UnitOfWork, "query"> },
  cardIds: bigint[],
  board: AccessibleList["board"],
): Promise<MovedParts> {
  const values = await tx.query<Value>(valuesOf(cardIds, board.id));
  const targets =
    values.length === 0 ? new Map<string, Target>() : targetsOf(await readTargets(tx, board.id));
  const moves: Move[] = [];
  const dropped = new Map<bigint, Map<bigint, DroppedField>>();
  const fieldOfSlot = new Map<string, bigint>();
  for (const value of values) {
    const target = targets.get(keyOf(value));
    const option = value.option === null ? null : (target?.options[value.option] ?? undefined);
    const slot = `${value.cardId} ${target?.id}`;
    const isFree = (fieldOfSlot.get(slot) ?? value.fieldId) === value.fieldId;
    if (target === undefined || option === undefined || !isFree) drop(dropped, value);
    else {
      fieldOfSlot.set(slot, value.fieldId);
      const optionId = option === null ? null : BigInt(option);
      moves.push({ id: value.id, fieldId: target.id, optionId });
    }
  }
  await write(tx, cardIds, board.id, moves);
  return new Map(
    [...dropped].map(([cardId, fields]) => [cardId, { droppedFields: [...fields.values()] }]),
  );
}

const keyOf = ({ name, type }: Pick<Value, "name" | "type"> | Target) => `${type} ${name}`;
const readTargets = (tx: Pick<UnitOfWork, "query">, boardId: bigint) =>
  tx.query<Target>(lockedFields(boardId));
/** The first field of each name and type. */
const targetsOf = (rows: Target[]) => new Map(rows.map((row) => [keyOf(row), row]));

/** Records a value that is dropped; of a `multiSelect` field, it is one of several. */
function drop(dropped: Map<bigint, Map<bigint, DroppedField>>, value: Value) {
  const { cardId, fieldId, name, type, text } = value;
  const ofCard = getOrInsert(dropped, cardId, () => new Map());
  const values = ofCard.get(fieldId)?.value;
  const shownValue =
    type === "multiSelect"
      ? [...(Array.isArray(values) ? values : []), text]
      : valueOfText(type, text);
  ofCard.set(fieldId, { name, type, value: shownValue });
}

/** Moves some values, and deletes the others that cards have of other boards. */
async function write(
  tx: Pick<UnitOfWork, "query">,
  cardIds: bigint[],
  boardId: bigint,
  moves: Move[],
) {
  if (moves.length > 0) {
    await tx.query(sql`UPDATE card_field_values v SET "fieldId" = new.field,
        "optionId" = new.option
      FROM unnest(${moves.map(({ id }) => id)}::bigint[],
        ${moves.map(({ fieldId }) => fieldId)}::bigint[],
        ${moves.map(({ optionId }) => optionId)}::bigint[]) AS new(id, field, option)
      WHERE v.id = new.id`);
  }
  await tx.query(sql`DELETE FROM card_field_values v USING custom_fields f
    WHERE v."cardId" = ANY(${cardIds}::bigint[]) AND f.id = v."fieldId"
      AND f."boardId" <> ${boardId}`);
}
