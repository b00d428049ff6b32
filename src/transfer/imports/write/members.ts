import { assignMembers, pairsOf } from "../../../domain/imports/assign.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { reportedOnce } from "../job/report.ts";
import type { Members, SourceCard } from "./source.ts";
import { unchangedCard, type ImportedPart } from "./step.ts";

/** The members here that are on a card at its source. */
const membersOf = ({ memberPublicIds }: SourceCard, members: Members): bigint[] => [
  ...new Set(memberPublicIds.flatMap((id) => members.get(id)?.id ?? [])),
];

/** The members on cards, and the people of the source who are assigned to them. */
export const members: ImportedPart = {
  unnamed: { kind: "cardMember", count: (card, known) => membersOf(card, known).length },
  people: (card) => card.people,
  async insert({ tx, target, context, report, members: known, isArchive }, inserted, _, mapped) {
    const peopleOf = ({ memberPublicIds }: SourceCard) => (isArchive ? [] : memberPublicIds);
    const pairs = inserted.flatMap(({ card, row }) => {
      const mappedIds = peopleOf(card).flatMap((id) => mapped.get(id) ?? []);
      const ids = new Set([...membersOf(card, known), ...mappedIds]);
      return [...ids].map((memberId) => ({ card, row, cardId: row.id, memberId }));
    });
    if (pairs.length > 0) {
      const rows = await tx.query<{ cardId: bigint; memberId: bigint }>(
        assignMembers(pairsOf(pairs), tx.now),
      );
      const assigned = new Set(rows.map(({ cardId, memberId }) => `${cardId} ${memberId}`));
      for (const { card, row, cardId, memberId } of pairs) {
        const { publicId: sourceId, title: name } = card;
        const issue = { kind: "cardMember", sourceId, name, cardPublicId: row.publicId };
        if (assigned.has(`${cardId} ${memberId}`)) report.add("cardMember", "created");
        else report.skip({ ...issue, reason: reportedOnce.cannotSee });
      }
    }
    const of = { workspaceId: target.id, source: context.row.family };
    const people = inserted.flatMap(({ card, row }) =>
      peopleOf(card).map((sourceId) => ({ ...of, cardId: row.id, sourceId })),
    );
    await insertRows(tx.query, "imported_assignments", people, sql`ON CONFLICT DO NOTHING`);
  },
  async count({ tx, report, members: known }, cards) {
    const rows = await tx.query<{ pair: string }>(sql`
      SELECT "cardId" || ' ' || "memberId" AS pair FROM card_members
      WHERE "cardId" = ANY(${cards.map(({ row }) => row.id)}::bigint[])`);
    const pairs = new Set(rows.map(({ pair }) => pair));
    for (const { card, row, outcome } of cards) {
      const ids = membersOf(card, known);
      const assigned = ids.filter((id) => pairs.has(`${row.id} ${id}`)).length;
      report.add("cardMember", outcome, assigned);
      const count = ids.length - assigned;
      const issue = { kind: "cardMember", sourceId: card.publicId, name: card.title, count };
      // The run that wrote the card has reported who could not be assigned.
      if (outcome === "created") report.add("cardMember", "leftOut", count);
      else if (count > 0)
        report.skip({ ...issue, reason: unchangedCard, cardPublicId: row.publicId });
    }
  },
};
