import { inOrder } from "../../platform/db/in-order.ts";
import {
  relationKinds,
  type StoredRelationKind,
} from "../../contract/vocabulary/relation-kinds.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { keepParts } from "../parts/kept.ts";
import { emitAt, type End } from "../related/ends.ts";

type Row = {
  publicId: string;
  kind: StoredRelationKind;
  isFromMoved: boolean;
  stays: EndRow;
  leaves: EndRow;
};
type EndRow = { publicId: string; number: number; list: Ref; board: Ref };
type Ref = { publicId: string; name: string };

const isOn = (boardId: bigint) => sql`SELECT id FROM cards WHERE "boardId" = ${boardId}`;

/** SQL: the cards that have relations with those of a board. */
export const relatedTo = (boardId: bigint): Sql => sql`
  SELECT r."toId" FROM card_relations r WHERE r."fromId" IN (${isOn(boardId)})
  UNION SELECT r."fromId" FROM card_relations r WHERE r."toId" IN (${isOn(boardId)})`;

const end = (card: Sql) => sql`(SELECT json_build_object('publicId', c."publicId",
    'number', c.number, 'list', json_build_object('publicId', l."publicId", 'name', l.name),
    'board', json_build_object('publicId', b."publicId", 'name', b.name))
  FROM cards c JOIN lists l ON l.id = c."listId" JOIN boards b ON b.id = c."boardId"
  WHERE c.id = ${card})`;

/**
 * Removes the relations between the cards of a board and those of others, before the board moves to
 * another workspace. The cards that stay have an event of each.
 */
export async function dropCrossingRelations(
  tx: UnitOfWork<"relation.deleted">,
  boardId: bigint,
  workspace: End["workspace"],
): Promise<void> {
  const crosses = inOrder(
    "card_relations",
    sql`"toId" IN (${isOn(boardId)}) AND "fromId" NOT IN (${isOn(boardId)})
      OR "fromId" IN (${isOn(boardId)}) AND "toId" NOT IN (${isOn(boardId)})`,
    sql`UPDATE`,
  );
  const rows = await tx.query<Row & { stayId: bigint; leaveId: bigint }>(sql`
    WITH removed AS (DELETE FROM card_relations WHERE ${crosses} RETURNING *),
    crossing AS (
      SELECT *, false AS "isFromMoved", "fromId" AS "stayId", "toId" AS "leaveId"
      FROM removed WHERE "toId" IN (${isOn(boardId)})
      UNION ALL SELECT *, true, "toId", "fromId" FROM removed WHERE "fromId" IN (${isOn(boardId)}))
    SELECT "publicId", kind, "isFromMoved", "stayId", "leaveId",
      ${end(sql`"stayId"`)} AS stays, ${end(sql`"leaveId"`)} AS leaves
    FROM crossing ORDER BY id`);
  if (rows.length === 0) return;
  const ids = [...new Set(rows.flatMap(({ stayId, leaveId }) => [stayId, leaveId]))];
  await keepParts(tx.query, sql`c.id = ANY(${ids}::bigint[])`);
  for (const { publicId, kind, isFromMoved, stays, leaves } of rows) {
    const relation = { publicId, kind: isFromMoved ? relationKinds[kind] : kind };
    const at = ({ list, board, ...card }: EndRow) => ({ card, list, board, workspace });
    emitAt(tx, "relation.deleted", relation, at(stays), at(leaves));
  }
}
