import { importedParts, sourceParts } from "./card-parts.ts";
import { lockRows, writtenCard } from "./earlier-card.ts";
import type { LookUp } from "./identity.ts";
import type { SourceCard } from "./source.ts";
import { goneSince, type Cards, type EarlierCard, type ImportStep } from "./step.ts";

const history = { kind: "activity", count: ({ activity = [] }: SourceCard) => activity.length };

/** Skips a card and everything on it. */
export function skipCard(
  { report, members }: Pick<ImportStep, "report" | "members">,
  card: SourceCard,
  reason: string,
): void {
  const { publicId: sourceId, title: name } = card;
  report.skip({ kind: "card", sourceId, name, reason });
  for (const issue of card.issues) if (issue.severity !== "partial") report.skip(issue);
  const skipped = "The card was not imported.";
  const unnamed = [history, ...importedParts.flatMap((part) => part.unnamed ?? [])];
  for (const { kind, count: countOf } of unnamed) {
    const count = countOf(card, members);
    if (count > 0) report.skip({ kind, sourceId, name, count, reason: skipped });
  }
  for (const part of sourceParts(card)) report.skip({ ...part, name, reason: skipped });
}

/** Locks the cards that were imported before, and counts them; those that are gone are skipped. */
export async function lockKnownCards(
  step: ImportStep,
  cards: SourceCard[],
  lookUp: LookUp,
): Promise<Cards> {
  const earlierCards = cards.flatMap((card) => {
    const before = lookUp("card", card.publicId);
    return before === undefined ? [] : [{ card, ...before }];
  });
  if (earlierCards.length === 0) return new Map();
  const ids = earlierCards.map(({ targetId }) => targetId);
  const rows = new Map((await lockRows(step, ids)).map((row) => [row.id, row]));
  const writtenCards: Cards = new Map();
  const earlier: EarlierCard[] = [];
  for (const { card, targetId, mine } of earlierCards) {
    const row = rows.get(targetId);
    if (row === undefined) {
      skipCard(step, card, goneSince);
      continue;
    }
    writtenCards.set(card, writtenCard(step, row, { mine }));
    const outcome = mine ? "created" : "alreadyThere";
    step.report.add("card", outcome);
    step.report.add("activity", outcome, history.count(card));
    earlier.push({ card, row, outcome });
  }
  for (const { count } of importedParts) await count?.(step, earlier, lookUp);
  return writtenCards;
}
