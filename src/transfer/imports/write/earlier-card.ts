import { lockedCards } from "../../../domain/cards/lock-cards.ts";
import { cardName } from "../../../domain/presenters/cards.ts";
import type { Card as CardRow } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { Known } from "./identity.ts";
import { visibleToStarter, type ImportStep, type WrittenCard } from "./step.ts";

type Row = CardRow & Record<"listPublicId" | "listName" | "boardPublicId" | "boardName", string>;

/** A card that was imported before. */
export function writtenCard(
  { context, target }: ImportStep,
  row: Row,
  { mine }: Pick<Known, "mine">,
): WrittenCard {
  const list = { publicId: row.listPublicId, name: row.listName };
  const board = { publicId: row.boardPublicId, name: row.boardName };
  const eventRefs = { card: cardName(row, target), list, board };
  const isOwn = row.createdById !== null && row.createdById === context.row.createdById;
  const { may, keyAllows } = target;
  const isEditable = mine || may.has("card:edit") || (isOwn && keyAllows("card:edit"));
  const { id, boardId } = row;
  return { id, boardId, isNew: false, isEditable, eventRefs, events: [] };
}

/** Locks live cards on their current boards, if the starter may see these. */
export const lockRows = (step: ImportStep, ids: bigint[]) =>
  step.tx.query<Row>(sql`
    WITH c AS MATERIALIZED (${lockedCards(
      sql`id = ANY(${ids}::bigint[]) AND "workspaceId" = ${step.target.id} AND "deletedAt" IS NULL`,
      { columns: sql`*` },
    )})
    SELECT c.*, l."publicId" AS "listPublicId", l.name AS "listName",
      b."publicId" AS "boardPublicId", b.name AS "boardName"
    FROM c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
    JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL
    WHERE ${visibleToStarter(step)} ORDER BY c.id`);
