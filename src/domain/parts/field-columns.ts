import { memberName } from "../../kernel/access/member-name.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { allValues, isOn, valueOfText } from "./field-values.ts";
import type { BoardColumns, Cell } from "./part.ts";
import { getOrInsert } from "../../platform/maps.ts";

/** The name of the column of a custom field. */
export const fieldColumn = (name: string, type: string): string => `fields.${name} (${type})`;

/** The name and the type of a custom field in the name of a column. */
export const fieldInColumn = /^fields\.(.+) \((\w+)\)$/s;

type Field = { id: bigint; name: string; type: string };
type Row = { cardId: bigint; fieldId: bigint; value: string };

/** SQL: the values of some cards as texts; `listed` quotes one of several names. */
const valuesOf = (cardIds: bigint[], listed: (name: Sql) => Sql) => sql`
  SELECT v."cardId", v."fieldId", coalesce(
      string_agg(CASE WHEN f.type = 'multiSelect' THEN ${listed(sql`o.name`)} ELSE o.name END, ', '
        ORDER BY o.position, o.id),
      min(coalesce(v.text, v.number::text, v.date::text, v.checked::text,
        CASE WHEN m.id IS NOT NULL THEN ${memberName} END))) AS value
  FROM ${allValues} LEFT JOIN users u ON u.id = m."userId"
  WHERE ${isOn(sql`ANY(${cardIds}::bigint[])`)} GROUP BY v."cardId", v."fieldId", f.type`;

const cellOf = (type: string, text: string): Cell => {
  const value = type === "multiSelect" ? text : valueOfText(type, text);
  return typeof value === "number" ? value : String(value);
};

/** The columns of the CSV with the custom fields of a board, in order. */
export async function columnsOfBoard(query: Query, boardId: bigint): Promise<BoardColumns> {
  const fields = await query<Field>(sql`SELECT id, name, type::text AS type FROM custom_fields
    WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL ORDER BY position`);
  const nthOf = new Map(fields.map(({ id }, nth) => [id, nth]));
  return {
    names: fields.map(({ name, type }) => fieldColumn(name, type)),
    async cells(cardIds, listed) {
      const cells = new Map<bigint, Cell[]>();
      if (fields.length === 0) return cells;
      for (const { cardId, fieldId, value } of await query<Row>(valuesOf(cardIds, listed))) {
        const row = getOrInsert(cells, cardId, () => fields.map(() => null));
        const nth = nthOf.get(fieldId);
        if (nth !== undefined) row[nth] = cellOf(fields[nth]?.type ?? "", value);
      }
      return cells;
    },
  };
}
