import { fullMessage } from "../../../contract/limits.ts";
import { lockLists, type AccessibleList } from "../../../kernel/access/accessible-list.ts";
import { sql } from "../../../platform/db/sql.ts";
import { ImportFailure } from "../job/failure.ts";
import type { LookUp } from "./identity.ts";
import type { SourceCard } from "./source.ts";
import { gapsOf, positionsFor, type CardSequence } from "./positions.ts";
import { notHeld, visibleToStarter, type ImportStep } from "./step.ts";
import { skipCard } from "./written-card.ts";

/** A new card with its list and position. */
export type PlannedCard = { card: SourceCard; list: AccessibleList; position: string };

/** Finds list and position of the new cards; skips those without a list or over the limit. */
export async function planCards(
  step: ImportStep,
  sequences: CardSequence[],
  lookUp: LookUp,
): Promise<PlannedCard[]> {
  const gaps = sequences.flatMap((sequence) => gapsOf(sequence, lookUp));
  if (gaps.length === 0) return [];
  const idOf = (card: SourceCard | undefined) =>
    lookUp("list", card?.listPublicId ?? "")?.targetId ?? 0n;
  const lists = await lockTargetLists(
    step,
    gaps.flatMap(({ cards }) => cards.map(idOf)),
  );
  const capacity = await capacities(step, [...lists.values()]);
  const fitting = gaps.flatMap(({ cards, ...neighbours }) => {
    const list = lists.get(idOf(cards[0]));
    const isAllowed = step.target.may.has("card:create");
    if (list === undefined || !isAllowed) {
      const reason = isAllowed ? "Its list is not here." : notHeld("card:create");
      for (const card of cards) skipCard(step, card, reason);
      return [];
    }
    const freePlaces = capacity.get(list.board.id) ?? 0;
    const reason = fullMessage(step.tx.limits, "cards");
    for (const card of cards.slice(freePlaces)) skipCard(step, card, reason);
    capacity.set(list.board.id, Math.max(0, freePlaces - cards.length));
    return [{ ...neighbours, list, listId: list.id, cards: cards.slice(0, freePlaces) }];
  });
  const positions = await positionsFor(step.tx.query, fitting);
  return fitting.flatMap(({ cards, list }, index) =>
    cards.map((card, nth) => ({ card, list, position: positions[index]?.[nth] ?? "" })),
  );
}

/** Locks lists with their boards; returns the live and visible ones by id. */
async function lockTargetLists(
  step: ImportStep,
  ids: bigint[],
): Promise<Map<bigint, AccessibleList>> {
  const { tx, target, board } = step;
  const lists = await lockLists(
    tx,
    sql`l.id = ANY(${[...new Set(ids)]}::bigint[]) AND l."workspaceId" = ${target.id}
      AND ${visibleToStarter(step)}`,
  );
  const boardIds = board === null ? lists.map((list) => list.board.id) : [board.id];
  const live = new Set(await tx.lock("boards", [...new Set(boardIds)]));
  if (board !== null && !live.has(board.id))
    throw new ImportFailure(`The board “${board.name}” was deleted during the import.`);
  return new Map(lists.flatMap((list) => (live.has(list.board.id) ? [[list.id, list]] : [])));
}

/** How many more cards each board may have. */
async function capacities(
  { tx }: ImportStep,
  lists: AccessibleList[],
): Promise<Map<bigint, number>> {
  const ids = [...new Set(lists.map(({ board }) => board.id))];
  const rows = await tx.query<{ id: bigint; count: number }>(sql`
    SELECT c."boardId" AS id, count(*)::int AS count
    FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
    WHERE c."boardId" = ANY(${ids}::bigint[]) AND c."deletedAt" IS NULL GROUP BY 1`);
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return new Map(ids.map((id) => [id, Math.max(0, tx.limits.cards - (counts.get(id) ?? 0))]));
}
