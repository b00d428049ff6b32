import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql } from "../../platform/db/sql.ts";

/** The tables of the labels and of the members of cards. */
export const pairTables = {
  label: { table: sql`card_labels`, column: sql`"labelId"` },
  member: { table: sql`card_members`, column: sql`"memberId"` },
};

type Other = { id: bigint };

/** Writes which labels or members a locked card gets and loses. */
export function writePairs(
  tx: Pick<UnitOfWork, "query" | "now">,
  kind: keyof typeof pairTables,
  card: { id: bigint; workspaceId: bigint },
  { added, removed }: { added: Other[]; removed: Other[] },
): void {
  const { table, column } = pairTables[kind];
  const idsOf = (others: Other[]) => others.map(({ id }) => id);
  if (removed.length > 0) {
    void tx.query(sql`DELETE FROM ${table}
      WHERE "cardId" = ${card.id} AND ${column} = ANY(${idsOf(removed)}::bigint[])`);
  }
  if (added.length > 0) {
    void tx.query(sql`INSERT INTO ${table} ("cardId", ${column}, "workspaceId", "createdAt")
      SELECT ${card.id}::bigint, other, ${card.workspaceId}::bigint, ${tx.now}::timestamptz
      FROM unnest(${idsOf(added)}::bigint[]) AS other`);
  }
}
