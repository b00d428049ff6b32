import { others, unseen } from "../../contract/filter/fold.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";

const pairs = Array.from(others.from, (from, nth) => [from, others.to[nth] ?? ""] as const);

/** SQL: `fold` of a text. Of characters beyond A to Z, only those in `searched` have to be folded. */
export function foldedSql(value: Sql, searched: string = others.to): Sql {
  const lower = (text: Sql) => sql`lower(${text} COLLATE "C")`;
  // PostgreSQL is slow at many characters.
  const asked = pairs.filter(([, to]) => searched.includes(to));
  const normal = sql`regexp_replace(${lower(sql`normalize(${value}, NFKD)`)}, ${unseen}, '', 'g')`;
  const folded =
    asked.length === 0
      ? normal
      : sql`translate(${normal}, ${asked.map(([from]) => from).join("")},
          ${asked.map(([, to]) => to).join("")})`;
  return sql`CASE WHEN octet_length(${value}) = length(${value}) THEN ${lower(value)}
    ELSE ${folded} END`;
}
