import { knownThings } from "../bulk/imported.ts";
import type { SourceCard, SourceComment } from "../model.ts";
import type { ImportRun } from "../context.ts";
import { writeAttachments } from "./attachments.ts";
import { writeChecklists } from "./checklists.ts";
import { writeComments } from "./comments.ts";
import { insertCards } from "./insert-cards.ts";
import { countMarks, goneSince, type Making, type Target } from "./step.ts";
import { leaveOut, lockKnown, partsOf, type Cards } from "./imported-card.ts";
import { placesOf, type Stretch } from "./positions.ts";

/** Makes cards with all that hangs on them, in one step; those that came over before get what they have got since. */
export const writeCards = (run: ImportRun, target: Target, stretches: Stretch[]): Promise<void> =>
  run.step(async (tx, made, home) => {
    const making: Making = { run, tx, made, home };
    const cards = stretches.flatMap((stretch) => stretch.cards);
    const asCard = (sourceId: string) => ({ kind: "card", sourceId }) as const;
    const known = await knownThings(tx.query, run.row, [
      ...cards.flatMap((card) => [asCard(card.sourceId), ...partsOf(card)]),
      ...stretches.flatMap(({ before, after }) => [before ?? [], after ?? []].flat().map(asCard)),
    ]);
    const old = await lockKnown(making, cards, known);
    const places = await placesOf(making, target, stretches, known);
    const onto: Cards = await insertCards(making, target, places);
    for (const card of cards) {
      const before = known(asCard(card.sourceId));
      if (before === undefined) continue;
      const row = old.get(before.targetId);
      if (row === undefined) leaveOut(making, card, goneSince);
      else {
        onto.set(card, row);
        const outcome = before.mine ? "created" : "alreadyThere";
        made.add("card", outcome);
        countMarks(made, target, card, outcome);
      }
    }
    for (const card of onto.keys()) for (const loss of card.lost) made.lose(loss);
    await writeChecklists(making, target, onto, known);
    await writeComments(making, target, onto, known);
    await writeAttachments(making, target, onto, known);
    for (const card of cards) for (const tell of onto.get(card)?.tell ?? []) tell();
  });

/** How much one transaction takes, in things and thousands of characters; a card is never divided, so one that is more comes alone. */
export const heaviest = 1_000;

/** How much work a card is. */
export const weightOf = (card: SourceCard): number =>
  1 + partsOf(card).length + (card.description?.length ?? 0) / 1_000 + said(card.comments);

const said = (comments: SourceComment[]) =>
  comments.reduce((sum, { comment }) => sum + comment.length / 1_000, 0);
