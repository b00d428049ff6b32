import type { CustomField } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { sameUser } from "./members.ts";
import type { CopiedValues, NamedRow, Part, RowsPart } from "./part.ts";
import { columnsOfBoard } from "./field-columns.ts";
import {
  addValue,
  allValues,
  isOn,
  isShownOn,
  shownOnCards,
  valueOfText,
  valuesByField,
  valueText,
  valueWithIds as extra,
} from "./field-values.ts";
import { remapFields } from "./remap-fields.ts";
import { cardRef, jsonList, jsonRows, onCards, type OnCard } from "./rows-sql.ts";
import { groupBy } from "../../platform/maps.ts";

type Type = CustomField["type"];

type Row = OnCard & NamedRow & { type: Type };

/** One row a value, in the order of the fields. */
const rows: RowsPart<Row, "cardFields"> = {
  statement: onCards({
    columns: sql`f."publicId", f.type::text AS name, ${extra} AS extra`,
    from: allValues,
    where: isShownOn(cardRef),
    first: sql`v."fieldId"`,
    second: sql`v.id`,
  }),
  start: [0n, 0n],
  groupOf: ({ nth }) => String(nth),
  stored: (valueRows) =>
    Object.entries(valuesByField(valueRows)).map(([fieldPublicId, value]) => ({
      fieldPublicId,
      value,
    })),
  kind: "cardFields",
  lines: (valueRows, { cardOf }) =>
    [...groupBy(valueRows, cardOf)].map(([cardPublicId, rowsOfCard]) => ({
      cardPublicId,
      fields: valuesByField(rowsOfCard),
    })),
};

type PublicValue = { name: string; type: Type; unit: string | null; values: string[] };

const shownPublic = ({ name, type, unit, values }: PublicValue) => {
  const [first = ""] = values;
  return { name, type, unit, value: type === "multiSelect" ? values : valueOfText(type, first) };
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
      date, checked, "optionId", "memberId")
    SELECT ${workspaceId}::bigint, new.card, ${copyOf("custom_fields", sql`v."fieldId"`)}, v.type,
      v.text, v.number, v.date, v.checked, ${copyOf("custom_field_options", sql`v."optionId"`)},
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
    columns: { id: sql`f.id`, publicId: sql`f."publicId"`, name: sql`f.type::text`, extra },
    add: addValue,
    nameOf: (view) => ("type" in view ? String(view.type) : ""),
  },
  detail: {
    read: (cardId) =>
      jsonRows(sql`SELECT f."publicId", f.type::text AS name, ${extra} AS extra
        FROM ${allValues} WHERE ${isShownOn(cardId)} ORDER BY f.position`),
    none: [],
    show: (valueRows: NamedRow[]) => ({ fields: valuesByField(valueRows) }),
  },
  public: {
    field: "fields",
    column: jsonList(
      sql`json_build_object('name', of_field.name, 'type', of_field.type, 'unit', of_field.unit,
        'values', of_field.values)`,
      sql`(SELECT f.name, f.type, f.unit, f.position,
          json_agg(${valueText(sql`o.name`)} ORDER BY o.position) AS values
        FROM ${shownOnCards} WHERE ${isOn(sql`c.id`)} AND v."memberId" IS NULL
        GROUP BY f.id) of_field`,
      sql`of_field.position`,
    ),
    bytes: sql`(SELECT sum(100 + coalesce(octet_length(v.text), 0)) FROM card_field_values v
      WHERE v."cardId" = c.id)`,
    show: (values: PublicValue[]) => values.map(shownPublic),
  },
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
  toBoard: remapFields,
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
  exported: { rows },
} satisfies Part;
