import { insertCardRows, type NewCard } from "../../../domain/cards/insert.ts";
import { cardName, viewCard } from "../../../domain/views/cards.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { TargetList } from "./card-targets.ts";
import type { SourceCard } from "./model.ts";
import { assignMembers } from "./assign.ts";
import { insertJoins } from "./rows.ts";
import { announce, momentOf, newRow, type ImportStep } from "./step.ts";
import { countCard, type Cards, type WrittenCard } from "./written-card.ts";

/** A new card with its list and position. */
export type PlannedCard = { card: SourceCard; list: TargetList; position: string };

/** The rows of labels, and the members that people are mapped to, by source ids. */
type Relations = {
  labels: ReadonlyMap<string, bigint>;
  mapped: ReadonlyMap<string, bigint>;
};
type Inserted = { card: SourceCard; row: { id: bigint } };

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
      countCard(step, card, relations.labels, "created");
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
  await insertJoins(tx.query, "card_labels", labelled);
  await insertAssignments(step, inserted, relations.mapped);
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

const cannotSee = "The member cannot see the board.";

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
    return [...ids].map((memberId) => ({ card, cardId: row.id, memberId }));
  });
  if (pairs.length > 0) {
    const selected = sql`SELECT * FROM unnest(${pairs.map(({ cardId }) => cardId)}::bigint[],
      ${pairs.map(({ memberId }) => memberId)}::bigint[]) AS given("cardId", "memberId")`;
    const rows = await tx.query<{ cardId: bigint; memberId: bigint }>(
      assignMembers(selected, tx.now),
    );
    const assigned = new Set(rows.map(({ cardId, memberId }) => `${cardId} ${memberId}`));
    for (const { card, cardId, memberId } of pairs) {
      const { sourceId, title: name } = card;
      if (assigned.has(`${cardId} ${memberId}`)) report.add("cardMember", "created");
      else report.skip({ kind: "cardMember", sourceId, name, reason: cannotSee });
    }
  }
  const people = inserted.flatMap(({ card, row }) =>
    card.people.map(({ sourceId }) => ({ cardId: String(row.id), sourceId })),
  );
  if (people.length === 0) return;
  await tx.query(sql`
    INSERT INTO imported_assignments ("cardId", "workspaceId", source, "sourceId")
    SELECT person."cardId", ${target.id}::bigint, ${context.row.family}, person."sourceId"
    FROM json_to_recordset(${JSON.stringify(people)}::json)
      AS person("cardId" bigint, "sourceId" text) ON CONFLICT DO NOTHING`);
}
