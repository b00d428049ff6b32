import { sql } from "../../../platform/db/sql.ts";
import { writeAttachments } from "./attachments.ts";
import { findTargetLabels, lockTargetLists, type TargetList } from "./card-targets.ts";
import { writeChecklists } from "./checklists.ts";
import { writeComments } from "./comments.ts";
import { writeHistory } from "./history.ts";
import { findKnown, type LookUp } from "./identity.ts";
import { insertCards, type PlannedCard } from "./insert-cards.ts";
import type { SourceCard } from "./model.ts";
import { writePeople } from "./people.ts";
import { gapsOf, positionsFor, type Stretch } from "./positions.ts";
import { importStep, notHeld, type ImportStep, type Writer } from "./step.ts";
import { lockKnownCards, partsOf, skipCard, type Cards } from "./written-card.ts";

/** Writes cards with everything on them in one transaction. Earlier ones get what is new. */
export const writeCards = (writer: Writer, stretches: Stretch[]): Promise<void> =>
  importStep(writer, async (step) => {
    const cards = stretches.flatMap((stretch) => stretch.cards);
    const known = await findAround(step, stretches, cards);
    const labels = findTargetLabels(cards, known);
    const earlier = await lockKnownCards(step, cards, labels, known);
    const planned = await planCards(step, stretches, known);
    const mapped = await writePeople(step, cards);
    const inserted = await insertCards(step, planned, { labels, mapped });
    const written: Cards = new Map();
    for (const card of cards) {
      const row = earlier.get(card) ?? inserted.get(card);
      if (row === undefined) continue;
      written.set(card, row);
      const { publicId: cardPublicId } = row.around.card;
      for (const issue of card.issues) step.report.skip({ ...issue, cardPublicId });
    }
    await writeChecklists(step, written, known);
    await writeComments(step, written, known);
    await writeAttachments(step, written, known);
    await writeHistory(step, inserted);
    for (const { events } of written.values()) for (const emit of events) emit();
  });

/** Finds the cards with their neighbours, lists, labels and parts. */
const findAround = ({ identity, tx }: ImportStep, stretches: Stretch[], cards: SourceCard[]) => {
  const neighbours = stretches.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const cardIds = [...neighbours, ...cards.map(({ sourceId }) => sourceId)];
  const labelIds = cards.flatMap((card) => card.labelIds);
  return findKnown(identity, tx.query, [
    ...cardIds.map((sourceId) => ({ kind: "card", sourceId }) as const),
    ...cards.map(({ listId: sourceId }) => ({ kind: "list", sourceId }) as const),
    ...labelIds.map((sourceId) => ({ kind: "label", sourceId }) as const),
    ...cards.flatMap(partsOf),
  ]);
};

/** Finds list and position of the new cards; skips those without a list or over the limit. */
async function planCards(
  step: ImportStep,
  stretches: Stretch[],
  known: LookUp,
): Promise<PlannedCard[]> {
  const gaps = stretches.flatMap((stretch) => gapsOf(stretch, known));
  if (gaps.length === 0) return [];
  const sourceIds = gaps.flatMap(({ cards }) => cards.map(({ listId }) => listId));
  const lists = await lockTargetLists(step, new Set(sourceIds), known);
  const capacity = await capacities(step, [...lists.values()]);
  const fitting = gaps.flatMap(({ cards, ...neighbours }) => {
    const list = lists.get(cards[0]?.listId ?? "");
    const isAllowed = step.target.may.has("card:create");
    if (list === undefined || !isAllowed) {
      const reason = isAllowed ? "Its list is not here." : notHeld("card:create");
      for (const card of cards) skipCard(step.report, card, reason);
      return [];
    }
    const free = capacity.get(list.board.id) ?? 0;
    const reason = `A board has at most ${step.tx.limits.cards} cards.`;
    for (const card of cards.slice(free)) skipCard(step.report, card, reason);
    capacity.set(list.board.id, Math.max(0, free - cards.length));
    return [{ ...neighbours, list, listId: list.id, cards: cards.slice(0, free) }];
  });
  const positions = await positionsFor(step.tx.query, fitting);
  return fitting.flatMap(({ cards, list }, index) =>
    cards.map((card, nth) => ({ card, list, position: positions[index]?.[nth] ?? "" })),
  );
}

/** How many more cards each board may have. */
async function capacities({ tx }: ImportStep, lists: TargetList[]): Promise<Map<bigint, number>> {
  const ids = [...new Set(lists.map(({ board }) => board.id))];
  const rows = await tx.query<{ id: bigint; count: number }>(sql`
    SELECT c."boardId" AS id, count(*)::int AS count
    FROM cards c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
    WHERE c."boardId" = ANY(${ids}::bigint[]) AND c."deletedAt" IS NULL GROUP BY 1`);
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return new Map(ids.map((id) => [id, Math.max(0, tx.limits.cards - (counts.get(id) ?? 0))]));
}

/** The most work of one transaction. A card is never divided, so a larger one comes alone. */
export const maxWeight = 1_000;

/** The work of a card: its rows, and its text in thousands of characters. */
export function weightOf(card: SourceCard): number {
  const texts = [card.description ?? "", ...card.comments.map(({ comment }) => comment)];
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return 1 + partsOf(card).length + 2 * (card.history?.length ?? 0) + characters / 1_000;
}
