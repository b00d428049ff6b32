import { keysBeside } from "../bulk/positions.ts";
import type { SourceCard } from "../model.ts";
import type { Making, Target } from "./step.ts";
import { leaveOut, type LookUp } from "./imported-card.ts";
import { sql } from "../../../platform/db/sql.ts";

/** Cards of one list in the order of the source; and by their ids there, the card before them and the next one after them that came over before. */
export type Stretch = { cards: SourceCard[]; before: string | null; after: string | null };

/** A new card and where it goes. */
export type Placed = {
  card: SourceCard;
  list: { id: bigint; publicId: string; name: string };
  position: string;
};

type Gap = { cards: SourceCard[]; after: bigint | null; before: bigint | null };

/** The places of the cards that are new, each beside those that surround it in the source. What has no list or no room is left out. */
export async function placesOf(
  making: Making,
  target: Target,
  stretches: Stretch[],
  known: LookUp,
): Promise<Placed[]> {
  const { tx } = making;
  const full = `A board has at most ${tx.limits.cards} cards.`;
  const gaps = stretches.map((stretch) => gapsOf(stretch, known));
  const lists = stretches.flatMap(({ cards: [card] }, place) =>
    gaps[place]?.length === 0 ? [] : (target.lists.get(card?.listId ?? "")?.id ?? []),
  );
  const live = new Set(lists.length === 0 ? [] : await tx.lock("lists", [...new Set(lists)]));
  let room = live.size === 0 ? 0 : await roomOn(making, target.board.id);
  const placed: Placed[] = [];
  for (const { cards, ...beside } of gaps.flat()) {
    const list = target.lists.get(cards[0]?.listId ?? "");
    if (list === undefined || !live.has(list.id)) {
      for (const card of cards) leaveOut(making, card, "Its list is not here.");
      continue;
    }
    const fitting = cards.slice(0, room);
    for (const card of cards.slice(room)) leaveOut(making, card, full);
    room -= fitting.length;
    const keys = await keysBeside(tx.query, list.id, beside, fitting.length);
    for (const [place, card] of fitting.entries())
      placed.push({ card, list, position: keys[place] ?? "" });
  }
  return placed;
}

async function roomOn({ tx }: Making, boardId: bigint) {
  const [row] = await tx.query<{ count: bigint }>(
    sql`SELECT count(*) FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL WHERE c."boardId" = ${boardId} AND c."deletedAt" IS NULL`,
  );
  return Math.max(0, tx.limits.cards - Number(row?.count ?? 0));
}

/** The new cards of a stretch as they stand between those that came over before. */
function gapsOf({ cards, before, after }: Stretch, known: LookUp): Gap[] {
  const idOf = (sourceId: string | null) =>
    sourceId === null ? null : (known({ kind: "card", sourceId })?.targetId ?? null);
  const gaps: Gap[] = [];
  let last = idOf(before);
  let open: Gap | undefined;
  for (const card of cards) {
    const id = idOf(card.sourceId);
    if (id === null) {
      open ??= gaps[gaps.push({ cards: [], after: last, before: idOf(after) }) - 1];
      open?.cards.push(card);
    } else {
      if (open !== undefined) open.before = id;
      open = undefined;
      last = id;
    }
  }
  return gaps;
}
