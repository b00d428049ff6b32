import { positionAt, type Placement } from "../../kernel/positions.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import type { Query } from "../../platform/db/query.ts";

const count = (table: string, parent: string, more = "") =>
  `SELECT count(*)::int AS index FROM ${table}
    WHERE "${parent}" = $1 AND position < $2 AND id <> $3 AND "deletedAt" IS NULL ${more}`;
const notArchived = `AND "archivedAt" IS NULL`;
const counts = {
  list: count("lists", "boardId", notArchived),
  card: count("cards", "listId", notArchived),
  checklist: count("checklists", "cardId"),
  checklistItem: count("checklist_items", "checklistId"),
};
const parents = { list: "boards", checklist: "cards", checklistItem: "checklists" } as const;

/** The index of a position among the other resources of a parent; archived ones do not count. */
export async function indexOf(
  query: Query,
  kind: keyof typeof counts,
  parentId: bigint,
  { id, position }: { id: bigint; position: string },
): Promise<number> {
  const [row] = await query<{ index: number }>(counts[kind], [parentId, position, id]);
  return row?.index ?? 0;
}

/** A move within a parent: the new position, and the index before and after. */
export type Move = { position: string; from: number; to: number };

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
