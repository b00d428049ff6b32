import { cardFields } from "../../../contract/fields/card.ts";
import { readIn } from "../../../domain/declared-fields.ts";
import { insertCardRows, type NewCard } from "../../../domain/cards/insert.ts";
import { cardName, showCard } from "../../../domain/presenters/cards.ts";
import { truncateEvent } from "../../../kernel/events/truncate.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { LookUp } from "./identity.ts";
import type { SourceCard } from "./source.ts";
import type { PlannedCard } from "./plan-cards.ts";
import {
  announce,
  newRow,
  textBytes,
  type Cards,
  type ImportStep,
  type WrittenCard,
} from "./step.ts";
import { importedParts } from "./card-parts.ts";

/** Inserts cards with what they have; `mapped` has members by person. */
export async function insertImportedCards(
  step: ImportStep,
  planned: PlannedCard[],
  lookUp: LookUp,
  mapped: ReadonlyMap<string, bigint>,
): Promise<Cards> {
  if (planned.length === 0) return new Map();
  const { tx, target, context, identity, report } = step;
  const owner = { workspaceId: target.id, createdById: context.row.createdById };
  const cards = planned.map(rowOf(step));
  await tx.copied.add(cards.map((row) => ({ bytes: textBytes(row) })));
  const rows = await insertCardRows(tx, owner, cards);
  const inserted = planned.flatMap((plannedCard, nth) => {
    const row = rows[nth];
    return row === undefined ? [] : [{ ...plannedCard, row }];
  });
  report.add("card", "created", inserted.length);
  const records = inserted.map(({ card: { publicId: sourceId }, list: { board }, row }) => {
    return { kind: "card", sourceId, targetId: row.id, boardId: board.id } as const;
  });
  await identity.record(tx, records);
  for (const { insert } of importedParts) await insert?.(step, inserted, lookUp, mapped);
  const aliases = inserted.flatMap(({ card, row }) =>
    (card.aliases ?? []).map((number) => ({ workspaceId: target.id, number, cardId: row.id })),
  );
  await insertRows(tx.query, "card_aliases", aliases);
  const writtenCards: Cards = new Map(
    inserted.map(({ card, list, row }): [SourceCard, WrittenCard] => {
      const { board } = list;
      report.add("activity", "created", card.activity?.length ?? 0);
      const shownCard = showCard(row, target.cardPrefix);
      const emit = () => announce(step, "card.created", { card: shownCard, list, board });
      const eventRefs = { card: cardName(row, target), list, board };
      const ids = { id: row.id, boardId: board.id };
      return [card, { ...ids, isNew: true, isEditable: true, eventRefs, events: [emit] }];
    }),
  );
  await insertHistory(step, writtenCards);
  return writtenCards;
}

const fieldsOf = readIn(cardFields);

const rowOf =
  (step: ImportStep) =>
  ({ card, list, position }: PlannedCard): NewCard => {
    const { number } = card;
    return {
      ...newRow(step, card),
      boardId: list.board.id,
      listId: list.id,
      position,
      ...(number === undefined ? {} : { number }),
      ...fieldsOf(card, step.tx.now),
    };
  };

/** Writes the history of new cards. It is shown on the cards, but not in the feed. */
async function insertHistory({ tx, target, identity }: ImportStep, cards: Cards): Promise<void> {
  const rows = [...cards].flatMap(([{ publicId, activity = [] }, { eventRefs }]) =>
    activity.map(({ type, actor, data, changes, createdAt }, index) => ({
      publicId: identity.publicId(`${publicId} ${index}`),
      workspaceId: target.id,
      boardPublicId: eventRefs.board.publicId,
      cardPublicId: eventRefs.card.publicId,
      type,
      actorType: actor.type,
      // A source does not prove who did it: the actor is a name, never an account.
      actorPublicId: null,
      actorName: actor.name,
      createdAt,
      isActivity: true,
      // It gets no number in the log: what happened before the import is no news.
      ...truncateEvent({ data, changes }),
    })),
  );
  await insertRows(tx.query, "events", rows);
}
