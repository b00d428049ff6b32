import { insertCardRows, type NewCard } from "../../../domain/cards/insert.ts";
import { cardName, viewCard } from "../../../domain/views/cards.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { TargetList } from "./card-targets.ts";
import type { SourceCard } from "./model.ts";
import { insertJoins } from "./rows.ts";
import { announce, momentOf, newRow, type ImportStep } from "./step.ts";
import { countCard, type Cards, type WrittenCard } from "./written-card.ts";

/** A new card with its list and position. */
export type PlannedCard = { card: SourceCard; list: TargetList; position: string };

type Inserted = { card: SourceCard; row: { id: bigint } };

/** Inserts cards with their labels, members and former numbers. */
export async function insertCards(
  step: ImportStep,
  planned: PlannedCard[],
  labels: ReadonlyMap<string, bigint>,
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
  await insertRelations(step, inserted, labels);
  return new Map(
    inserted.map(({ card, list, row }): [SourceCard, WrittenCard] => {
      const { board } = list;
      countCard(step, card, labels, "created");
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

async function insertRelations(
  { tx, target }: ImportStep,
  inserted: Inserted[],
  labels: ReadonlyMap<string, bigint>,
) {
  const joined = { workspaceId: target.id, createdAt: tx.now };
  const labelled = inserted.flatMap(({ card, row }) =>
    card.labelIds.flatMap((sourceId) => {
      const labelId = labels.get(sourceId);
      return labelId === undefined ? [] : [{ cardId: row.id, labelId, ...joined }];
    }),
  );
  await insertJoins(tx.query, "card_labels", labelled);
  const assigned = inserted.flatMap(({ card, row }) =>
    card.people.map(({ id: memberId }) => ({ cardId: row.id, memberId, ...joined })),
  );
  await insertJoins(tx.query, "card_members", assigned);
  const aliases = inserted.flatMap(({ card, row }) =>
    (card.aliases ?? []).map((number) => ({ number, cardId: String(row.id) })),
  );
  if (aliases.length === 0) return;
  await tx.query(sql`
    INSERT INTO card_aliases ("workspaceId", number, "cardId")
    SELECT ${target.id}::bigint, alias.number, alias."cardId"
    FROM json_to_recordset(${JSON.stringify(aliases)}::json)
      AS alias(number int, "cardId" bigint)`);
}
