import { memberName } from "../../kernel/access/member-name.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { sameUser } from "./members.ts";
import type { CopiedValues, Part, RowsPart } from "./part.ts";
import { columnsOfBoard } from "./custom-field-columns.ts";
import {
  addValue,
  allValues,
  isOn,
  isShownOn,
  shownOnCards,
  type FieldRow,
  type FieldThing,
  valueOfText,
  valueWithIds,
  valueWithNames,
} from "./custom-field-values.ts";
import { remapCustomFields } from "./remap-custom-fields.ts";

/** A value with ids, and with names. */
function valuesOf({ type, text, nameOfId }: FieldRow): Pick<FieldThing, "value" | "named"> {
  if (type !== "multiSelect") {
    const value = valueOfText(type, text);
    return { value, named: nameOfId ?? value };
  }
  const options: [id: string, name: string][] = JSON.parse(text);
  return { value: options.map(([id]) => id), named: options.map(([, name]) => name) };
}

/** One row a value, in the order of the fields. */
const rows: RowsPart<FieldRow, FieldThing> = {
  kind: "cardFields",
  columns: sql`f."publicId" AS "fieldPublicId", f.name, f.type::text AS type, f.unit,
    f."isShownOnCard", ${valueWithNames} AS text,
    coalesce(o.name, CASE WHEN m.id IS NOT NULL THEN ${memberName} END) AS "nameOfId"`,
  from: sql`${allValues} LEFT JOIN users u ON u.id = m."userId"`,
  isOn: isShownOn,
  first: sql`f.position`,
  second: sql`v.id`,
  start: ["-infinity", 0n],
  textBytes: sql`coalesce(octet_length(v.text), 0)`,
  groupOf: ({ nth }) => String(nth),
  things: (valueRows) => valueRows.map((row) => ({ ...row, ...valuesOf(row) })),
  together: (things) =>
    Object.fromEntries(things.map(({ fieldPublicId, value }) => [fieldPublicId, value])),
  public: (things) =>
    things
      .filter(({ isShownOnCard, type }) => isShownOnCard && type !== "member")
      .map(({ named, ...thing }) => ({ ...thing, value: named })),
};

/** SQL: inserts the values of copies: of their fields and options, or of copies of these. */
function insertCopies({ ids, cardIds, copies, workspaceId, withMembers }: CopiedValues): Sql {
  const copyOf = (table: string, id: Sql) => {
    const copiedRows = [...(copies.get(table) ?? [])];
    if (copiedRows.length === 0) return id;
    return sql`coalesce((SELECT known.copy FROM unnest(${copiedRows.map(([source]) => source)}::bigint[],
      ${copiedRows.map(([, copy]) => copy)}::bigint[]) AS known(id, copy) WHERE known.id = ${id}), ${id})`;
  };
  return sql`INSERT INTO card_field_values ("workspaceId", "cardId", "fieldId", type, text, number,
      date, "isAllDay", checked, "optionId", "memberId")
    SELECT ${workspaceId}::bigint, new.card, ${copyOf("custom_fields", sql`v."fieldId"`)}, v.type,
      v.text, v.number, v.date, v."isAllDay", v.checked, ${copyOf("custom_field_options", sql`v."optionId"`)},
      v."memberId"
    FROM unnest(${ids}::bigint[], ${cardIds}::bigint[]) AS new(id, card)
    JOIN card_field_values v ON v.id = new.id
    WHERE ${withMembers} OR v."memberId" IS NULL`;
}

/** The values of custom fields on a card. */
export const fields = {
  from: shownOnCards,
  isOn: isShownOn,
  summary: {
    map: "fields",
    columns: {
      id: sql`f.id`,
      publicId: sql`f."publicId"`,
      name: sql`f.type::text`,
      extra: valueWithIds,
    },
    add: addValue,
  },
  // Those of deleted fields, and those that no list of cards shows, too.
  kept: {
    columns: { hasFieldValues: sql`count(*) > 0` },
    from: sql`card_field_values v`,
    isOn: (cardId) => sql`v."cardId" = ${cardId}`,
    isChangedBy: ({ changes = {} }) =>
      Object.keys(changes).some((name) => name.startsWith("fields.")),
  },
  rows,
  csv: { columns: [], needs: "board:view", more: columnsOfBoard },
  copied: [
    {
      table: "card_field_values",
      alias: "v",
      from: allValues,
      isOn: isOn(sql`c.id`),
      texts: ["text"],
      memberColumns: ["memberId"],
      insert: insertCopies,
    },
  ],
  toBoard: remapCustomFields,
  toWorkspace: {
    card_field_values: (where, targetId) => [
      sql`DELETE FROM card_field_values t WHERE ${where} AND t."memberId" IS NOT NULL
        AND NOT EXISTS (SELECT FROM ${sameUser(targetId)} WHERE o.id = t."memberId")`,
      sql`UPDATE card_field_values t SET "workspaceId" = ${targetId},
          "memberId" = (SELECT n.id FROM ${sameUser(targetId)} WHERE o.id = t."memberId")
        WHERE ${where}`,
    ],
  },
  assigned: {
    table: "card_field_values",
    cardId: sql`"cardId"`,
    isOn: (cards) => sql`"cardId" IN (${cards})`,
    unassign: (where) => sql`DELETE FROM card_field_values WHERE ${where}`,
  },
} satisfies Part;
