import { sql } from "../../../platform/db/sql.ts";
import { ImportFailure } from "../job/failure.ts";
import type { LookUp } from "./identity.ts";
import type { SourceCard } from "./model.ts";
import { visibleToStarter, type ImportStep } from "./step.ts";

/** A list that cards are written to, with its board. */
export type TargetList = {
  id: bigint;
  publicId: string;
  name: string;
  board: { id: bigint; publicId: string; name: string };
};

type Row = Omit<TargetList, "board"> & {
  boardId: bigint;
  boardPublicId: string;
  boardName: string;
};

/** Locks the lists of cards with their boards; returns the live and visible ones by source id. */
export async function lockTargetLists(
  step: ImportStep,
  sourceIds: Set<string>,
  known: LookUp,
): Promise<Map<string, TargetList>> {
  const { tx, target, board } = step;
  const idOf = (sourceId: string) => known("list", sourceId)?.targetId;
  const ids = [...sourceIds].flatMap((sourceId) => idOf(sourceId) ?? []);
  const rows = await tx.query<Row>(sql`
    SELECT l.id, l."publicId", l.name, b.id AS "boardId", b."publicId" AS "boardPublicId",
      b.name AS "boardName"
    FROM lists l JOIN boards b ON b.id = l."boardId"
    WHERE l.id = ANY(${ids}::bigint[]) AND l."workspaceId" = ${target.id}
      AND l."deletedAt" IS NULL AND ${visibleToStarter(step)}
    ORDER BY l.id FOR NO KEY UPDATE OF l`);
  const boardIds = board === null ? rows.map(({ boardId }) => boardId) : [board.id];
  const live = new Set(await tx.lock("boards", [...new Set(boardIds)]));
  if (board !== null && !live.has(board.id))
    throw new ImportFailure(`The board “${board.name}” was deleted during the import.`);
  const lists = new Map(
    rows
      .filter(({ boardId }) => live.has(boardId))
      .map(({ boardId: id, boardPublicId: publicId, boardName: name, ...list }) => [
        list.id,
        { ...list, board: { id, publicId, name } },
      ]),
  );
  return new Map(
    [...sourceIds].flatMap((sourceId): [string, TargetList][] => {
      const list = lists.get(idOf(sourceId) ?? 0n);
      return list === undefined ? [] : [[sourceId, list]];
    }),
  );
}

/** The live labels of cards, by source id. */
export const findTargetLabels = (cards: SourceCard[], known: LookUp): Map<string, bigint> =>
  new Map(
    cards
      .flatMap(({ labelIds }) => labelIds)
      .flatMap((sourceId): [string, bigint][] => {
        const before = known("label", sourceId);
        return before?.isLive === true ? [[sourceId, before.targetId]] : [];
      }),
  );
