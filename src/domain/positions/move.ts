import type { Placement } from "../../kernel/gaps.ts";
import { positionAt } from "../../kernel/positions.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";

const notArchived = sql`AND "archivedAt" IS NULL`;
const ordered = {
  list: { table: "lists", parent: "boardId", counts: notArchived },
  card: { table: "cards", parent: "listId", counts: notArchived },
  checklist: { table: "checklists", parent: "cardId", counts: sql.empty },
  checklistItem: { table: "checklist_items", parent: "checklistId", counts: sql.empty },
};
const parents = { list: "boards", checklist: "cards", checklistItem: "checklists" } as const;

/** The index of a position among the other resources of a parent; archived ones do not count. */
export async function indexOf(
  query: Query,
  kind: keyof typeof ordered,
  parentId: bigint,
  { id, position }: { id: bigint; position: string },
): Promise<number> {
  const { table, parent, counts } = ordered[kind];
  const [row] = await query<{ index: number }>(
    sql`SELECT count(*)::int AS index FROM ${sql.identifier(table)}
      WHERE ${sql.identifier(parent)} = ${parentId} AND position < ${position} AND id <> ${id}
        AND "deletedAt" IS NULL ${counts}`,
  );
  return row?.index ?? 0;
}

/** A move within a parent: the new position, and the index before and after. */
export type Move = { position: string; from: number; to: number };

/** What an event shows of a move: where the resource is now; nothing when it did not move. */
export const targetOf = (move: Move | null): { to?: { index: number } } =>
  move === null ? {} : { to: { index: move.to } };

/** Finds the new position of a resource, with its parent locked; null when it does not move. */
export async function findMove(
  tx: UnitOfWork,
  kind: keyof typeof parents,
  parentId: bigint,
  row: { id: bigint; position: string },
  placement: Placement | undefined,
): Promise<Move | null> {
  if (placement === undefined) return null;
  const { query } = tx;
  await tx.lock(parents[kind], [parentId]);
  // Counted first: `positionAt` may change the positions of all siblings.
  const from = await indexOf(query, kind, parentId, row);
  const position = await positionAt(query, kind, parentId, placement, row);
  if (position === row.position) return null;
  return { position, from, to: await indexOf(query, kind, parentId, { ...row, position }) };
}
