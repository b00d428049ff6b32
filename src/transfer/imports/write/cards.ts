import { tablesOf } from "../../../contract/fields/part.ts";
import { cardParts } from "../../../contract/resources/card-parts.ts";
import type { Deps } from "../../../kernel/request/deps.ts";
import { keepParts } from "../../../domain/parts/kept.ts";
import { sql } from "../../../platform/db/sql.ts";
import { importedParts, namedBy, sourceParts } from "./card-parts.ts";
import { findKnown } from "./identity.ts";
import { insertImportedCards } from "./insert-cards.ts";
import { storeFiles, type Fetch } from "./files.ts";
import type { SourceCard } from "./source.ts";
import { writePeople } from "./people.ts";
import { planCards } from "./plan-cards.ts";
import type { CardSequence } from "./positions.ts";
import { importStep, type Cards, type ImportStep, type Writer } from "./step.ts";
import { lockKnownCards } from "./written-card.ts";

/**
 * Writes cards with everything on them in one transaction. Earlier ones get what is new. Without
 * `fetch`, files stay links.
 */
export async function writeCards(
  writer: Writer,
  sequences: CardSequence[],
  fetch?: Fetch,
): Promise<void> {
  const cards = sequences.flatMap((sequence) => sequence.cards);
  const files = fetch === undefined ? new Map() : await storeFiles(writer, cards, fetch);
  await importStep(writer, async (step) => {
    const lookUp = await findAround(step, sequences, cards);
    // It locks the people: before the cards, as a change of their members does.
    const mapped = await writePeople(step, cards);
    const earlier = await lockKnownCards(step, cards, lookUp);
    const planned = await planCards(step, sequences, lookUp);
    const inserted = await insertImportedCards(step, planned, lookUp, mapped);
    const writtenCards: Cards = new Map();
    for (const card of cards) {
      const row = earlier.get(card) ?? inserted.get(card);
      if (row === undefined) continue;
      writtenCards.set(card, row);
      const { publicId: cardPublicId } = row.eventRefs.card;
      for (const issue of card.issues) step.report.skip({ ...issue, cardPublicId });
    }
    for (const { write } of importedParts) await write?.(step, writtenCards, lookUp, files);
    const ids = [...writtenCards.values()].map(({ id }) => id);
    void keepParts(step.tx.query, sql`c.id = ANY(${ids}::bigint[])`);
    for (const { events } of writtenCards.values()) for (const emit of events) emit();
  });
}

/** Finds the cards with their neighbours, lists, labels and parts. */
const findAround = (
  { identity, tx }: ImportStep,
  sequences: CardSequence[],
  cards: SourceCard[],
) => {
  const neighbours = sequences.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const cardIds = [...neighbours, ...cards.map(({ publicId }) => publicId)];
  return findKnown(identity, tx.query, [
    ...cardIds.map((sourceId) => ({ kind: "card", sourceId }) as const),
    ...cards.map(({ listPublicId: sourceId }) => ({ kind: "list", sourceId }) as const),
    ...cards.flatMap(namedBy),
    ...cards.flatMap(sourceParts),
  ]);
};

/** The most work of one transaction. A card is never divided, so a larger one comes alone. */
const maxWeight = 1_000;

/** The work of a card: its rows, and its text in thousands of characters. */
function weightOf(card: SourceCard): number {
  const texts = [card.description ?? "", ...card.comments.map(({ comment }) => comment)];
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return 1 + sourceParts(card).length + 2 * (card.activity?.length ?? 0) + characters / 1_000;
}

/** Cards in their order, in batches for one transaction each. */
export async function* cardBatches(cards: AsyncIterable<SourceCard>): AsyncGenerator<SourceCard[]> {
  let [batch, weight]: [SourceCard[], number] = [[], 0];
  for await (const card of cards) {
    const weightOfCard = weightOf(card);
    if (batch.length > 0 && weight + weightOfCard > maxWeight) {
      yield batch;
      [batch, weight] = [[], 0];
    }
    batch.push(card);
    weight += weightOfCard;
  }
  if (batch.length > 0) yield batch;
}

/** How many new cards change the statistics of the tables enough to update them. */
const minCards = 1_000;
const tables = ["lists", "cards", ...tablesOf(cardParts).map(([table]) => table), "events"];

/** Updates the statistics of tables after a large import: until then queries are planned badly. */
export async function analyzeTables({ db, log }: Pick<Deps, "db" | "log">, cards: number) {
  if (cards < minCards) return;
  for (const table of tables) {
    await db.write(sql`ANALYZE ${sql.identifier(table)}`).catch((error: unknown) => {
      log.warn({ err: error, table }, "ANALYZE after an import failed");
    });
  }
}
