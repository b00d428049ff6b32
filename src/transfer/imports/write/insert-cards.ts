import { insertCardRows, type NewCard } from "../../../domain/cards/insert.ts";
import { cardName, viewCard } from "../../../domain/views/cards.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { TargetList } from "./card-targets.ts";
import type { SourceCard } from "./model.ts";
import { assignMembers, cannotSee, pairsOf } from "./assign.ts";
import { announce, momentOf, newRow, type ImportStep } from "./step.ts";
import { countCard, type Cards, type WrittenCard } from "./written-card.ts";

/** A new card with its list and position. */
export type PlannedCard = { card: SourceCard; list: TargetList; position: string };

/** The rows of labels, and the members that people are mapped to, by source ids. */
type Relations = {
  labels: ReadonlyMap<string, bigint>;
  mapped: ReadonlyMap<string, bigint>;
};
type Inserted = { card: SourceCard; row: { id: bigint; publicId: string } };

/** Inserts cards with their labels, members and former numbers. */
export async function insertCards(
  step: ImportStep,
  planned: PlannedCard[],
  relations: Relations,
): Promise<Cards> {
  if (planned.length === 0) return new Map();
  const { tx, target, context, identity, report } = step;
  const owner = { workspaceId: target.id, createdById: context.row.createdById };
  const rows = await insertCardRows(tx, owner, planned.map(rowOf(step)));
  const inserted = planned.flatMap((one, nth) => {
    const row = rows[nth];
    return row === undefined ? [] : [{ ...one, row }];
  });
  report.add("card", "created", inserted.length);
  const records = inserted.map(({ card: { sourceId }, row }) => {
    return { kind: "card", sourceId, targetId: row.id } as const;
  });
  await identity.record(tx, step.board?.id ?? null, records);
  await insertRelations(step, inserted, relations);
  return new Map(
    inserted.map(({ card, list, row }): [SourceCard, WrittenCard] => {
      const { board } = list;
      countCard(step, card, relations.labels, "created", row.publicId);
      const shown = viewCard(row, target.cardPrefix);
      const emit = () => announce(step, "card.created", { card: shown, list, board });
      const around = { card: cardName(row, target), list, board };
      return [card, { id: row.id, isNew: true, isEditable: true, around, events: [emit] }];
    }),
  );
}

const rowOf =
  (step: ImportStep) =>
  ({ card, list, position }: PlannedCard): NewCard => {
    const { publicId, createdAt, updatedAt } = newRow(step, card);
    const { number, title, description } = card;
    const moment = (field: "startDate" | "dueDate" | "completedAt" | "archivedAt") =>
      momentOf(card[field], step.tx.now);
    return {
      publicId,
      createdAt,
      updatedAt,
      boardId: list.board.id,
      listId: list.id,
      position,
      ...(number === undefined ? {} : { number }),
      title,
      description,
      startDate: moment("startDate"),
      dueDate: moment("dueDate"),
      completedAt: moment("completedAt"),
      archivedAt: moment("archivedAt"),
    };
  };

async function insertRelations(step: ImportStep, inserted: Inserted[], relations: Relations) {
  const { tx, target } = step;
  const joined = { workspaceId: target.id, createdAt: tx.now };
  const labelled = inserted.flatMap(({ card, row }) =>
    card.labelIds.flatMap((sourceId) => {
      const labelId = relations.labels.get(sourceId);
      return labelId === undefined ? [] : [{ cardId: row.id, labelId, ...joined }];
    }),
  );
  await insertRows(tx.query, "card_labels", labelled, sql`ON CONFLICT DO NOTHING`);
  await insertAssignments(step, inserted, relations.mapped);
  const aliases = inserted.flatMap(({ card, row }) =>
    (card.aliases ?? []).map((number) => ({ workspaceId: target.id, number, cardId: row.id })),
  );
  await insertRows(tx.query, "card_aliases", aliases);
}

/** Assigns members to cards, and records the people of the source who are assigned to them. */
async function insertAssignments(
  { tx, target, context, report }: ImportStep,
  inserted: Inserted[],
  mapped: Relations["mapped"],
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
      else report.skip({ ...issue, reason: cannotSee });
    }
  }
  const of = { workspaceId: target.id, source: context.row.family };
  const people = inserted.flatMap(({ card, row }) =>
    card.people.map(({ sourceId }) => ({ ...of, cardId: row.id, sourceId })),
  );
  await insertRows(tx.query, "imported_assignments", people, sql`ON CONFLICT DO NOTHING`);
}
