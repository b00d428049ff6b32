import { cardFields } from "../../../contract/fields/card.ts";
import { readIn } from "../../../domain/fields.ts";
import { insertCardRows, type NewCard } from "../../../domain/cards/insert.ts";
import { cardName, viewCard } from "../../../domain/views/cards.ts";
import { truncateEvent } from "../../../kernel/events/truncate.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { reportedOnce } from "../job/report.ts";
import type { LookUp } from "./identity.ts";
import type { SourceCard, SourceEvent } from "./model.ts";
import { assignMembers, pairsOf } from "../../../domain/imports/assign.ts";
import type { PlannedCard } from "./plan-cards.ts";
import { announce, newRow, textBytes, type ImportStep } from "./step.ts";
import { countCard, type Cards, type WrittenCard } from "./written-card.ts";

type Inserted = { card: SourceCard; row: { id: bigint; publicId: string } };

/** Inserts cards with what they have; `mapped` has members by person. */
export async function insertImportedCards(
  step: ImportStep,
  planned: PlannedCard[],
  known: LookUp,
  mapped: ReadonlyMap<string, bigint>,
): Promise<Cards> {
  if (planned.length === 0) return new Map();
  const { tx, target, context, identity, report } = step;
  const owner = { workspaceId: target.id, createdById: context.row.createdById };
  const cards = planned.map(rowOf(step));
  await tx.copied.add(cards.map((row) => ({ bytes: textBytes(row) })));
  const rows = await insertCardRows(tx, owner, cards);
  const inserted = planned.flatMap((one, nth) => {
    const row = rows[nth];
    return row === undefined ? [] : [{ ...one, row }];
  });
  report.add("card", "created", inserted.length);
  const records = inserted.map(({ card: { sourceId }, list: { board }, row }) => {
    return { kind: "card", sourceId, targetId: row.id, boardId: board.id } as const;
  });
  await identity.record(tx, records);
  await insertLabels(step, inserted, known);
  await insertAssignments(step, inserted, mapped);
  const aliases = inserted.flatMap(({ card, row }) =>
    (card.aliases ?? []).map((number) => ({ workspaceId: target.id, number, cardId: row.id })),
  );
  await insertRows(tx.query, "card_aliases", aliases);
  const written: Cards = new Map(
    inserted.map(({ card, list, row }): [SourceCard, WrittenCard] => {
      const { board } = list;
      countCard(step, card, known, "created", { cardPublicId: row.publicId });
      const shown = viewCard(row, target.cardPrefix);
      const emit = () => announce(step, "card.created", { card: shown, list, board });
      const around = { card: cardName(row, target), list, board };
      const ids = { id: row.id, boardId: board.id };
      return [card, { ...ids, isNew: true, isEditable: true, around, events: [emit] }];
    }),
  );
  await insertHistory(step, written);
  return written;
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

async function insertLabels({ tx, target }: ImportStep, inserted: Inserted[], known: LookUp) {
  const joined = { workspaceId: target.id, createdAt: tx.now };
  const labelled = inserted.flatMap(({ card, row }) =>
    card.labelIds.flatMap((sourceId) => {
      const label = known("label", sourceId);
      return label?.isLive === true ? [{ cardId: row.id, labelId: label.targetId, ...joined }] : [];
    }),
  );
  await insertRows(tx.query, "card_labels", labelled, sql`ON CONFLICT DO NOTHING`);
}

/** Assigns members to cards, and records the people of the source who are assigned to them. */
async function insertAssignments(
  { tx, target, context, report }: ImportStep,
  inserted: Inserted[],
  mapped: ReadonlyMap<string, bigint>,
) {
  const pairs = inserted.flatMap(({ card, row }) => {
    const ids = new Set([
      ...card.members.map(({ id }) => id),
      ...card.people.flatMap(({ sourceId }) => mapped.get(sourceId) ?? []),
    ]);
    return [...ids].map((memberId) => ({ card, row, cardId: row.id, memberId }));
  });
  if (pairs.length > 0) {
    const rows = await tx.query<{ cardId: bigint; memberId: bigint }>(
      assignMembers(pairsOf(pairs), tx.now),
    );
    const assigned = new Set(rows.map(({ cardId, memberId }) => `${cardId} ${memberId}`));
    for (const { card, row, cardId, memberId } of pairs) {
      const { sourceId, title: name } = card;
      const issue = { kind: "cardMember", sourceId, name, cardPublicId: row.publicId };
      if (assigned.has(`${cardId} ${memberId}`)) report.add("cardMember", "created");
      else report.skip({ ...issue, reason: reportedOnce.cannotSee });
    }
  }
  const of = { workspaceId: target.id, source: context.row.family };
  const people = inserted.flatMap(({ card, row }) =>
    card.people.map(({ sourceId }) => ({ ...of, cardId: row.id, sourceId })),
  );
  await insertRows(tx.query, "imported_assignments", people, sql`ON CONFLICT DO NOTHING`);
}

/** Writes the history of new cards. It is shown on the cards, but not in the feed. */
async function insertHistory({ tx, target }: ImportStep, cards: Cards): Promise<void> {
  const eventOf = ({ around: { board, card } }: WrittenCard, event: SourceEvent) => ({
    ...event,
    workspaceId: target.id,
    boardPublicId: board.publicId,
    cardPublicId: card.publicId,
    isActivity: true,
    // It gets no number in the log: what happened before the import is no news.
    ...truncateEvent({ data: event.data, changes: event.changes }),
  });
  const rows = [...cards].flatMap(([{ history = [] }, card]) =>
    history.map((event) => eventOf(card, event)),
  );
  await insertRows(tx.query, "events", rows);
}
