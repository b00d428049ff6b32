import type { Caller } from "../../kernel/access/callers.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { checkLimit } from "../../kernel/limits.ts";
import { insertPlaced } from "../../kernel/positions.ts";
import { insertRows } from "../../platform/db/insert-rows.ts";
import { publicId } from "../../platform/db/public-id.ts";
import type { List } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { placementOf } from "../placement.ts";

type Place = {
  board: { id: bigint; workspaceId: bigint };
  caller: Pick<Caller, "userId">;
  newId: string;
};
type NewList = { name: string } & Parameters<typeof placementOf>[0];

/** Inserts a list where an input places it, by default at the end. 409 when the board is full. */
export async function insertList(
  tx: UnitOfWork,
  { board, caller, newId }: Place,
  input: NewList,
): Promise<List & { index: number }> {
  await checkLimit(tx, "lists", board.id);
  const values = sql`${newId}, ${board.workspaceId}::bigint, ${board.id}::bigint,
    ${input.name}, ${caller.userId}::bigint, ${tx.now}::timestamptz, ${tx.now}::timestamptz`;
  return insertPlaced<List>(
    tx.query,
    "list",
    board.id,
    placementOf(input) ?? {},
    sql`INSERT INTO lists ("publicId", "workspaceId", "boardId", name, "createdById",
      "createdAt", "updatedAt", position) SELECT ${values}, place.position FROM place`,
  );
}

type Parent = { workspaceId: bigint; createdById: bigint | null; boardId: bigint };

/** Inserts the lists of a new board, in order. */
export async function insertLists(tx: UnitOfWork, parent: Parent, names: string[]): Promise<void> {
  const rows = names.map((name, nth) => ({
    ...parent,
    publicId: publicId(),
    name,
    position: nth + 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  }));
  await insertRows(tx.query, "lists", rows);
}
