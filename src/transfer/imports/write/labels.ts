import { insertRows } from "../../../platform/db/insert-rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { LookUp } from "./identity.ts";
import { unchangedCard, type EarlierCard, type ImportedPart, type ImportStep } from "./step.ts";

/** Counts the labels of a card; `has` says which an earlier card has. */
function countLabels(
  { report }: ImportStep,
  { card, row, outcome }: EarlierCard,
  lookUp: LookUp,
  has: (labelId: bigint) => boolean = () => true,
) {
  const { publicId: sourceId, title: name } = card;
  for (const id of card.labelPublicIds) {
    const label = lookUp("label", id);
    const reason = label?.isLive === true ? unchangedCard : "Its label is not here.";
    const issue = { kind: "cardLabel", sourceId, name, reason, cardPublicId: row.publicId };
    if (label?.isLive === true && has(label.targetId)) report.add("cardLabel", outcome);
    else report.skip(issue);
  }
}

/** The labels on cards. */
export const labels: ImportedPart = {
  names: ({ labelPublicIds }) => labelPublicIds.map((sourceId) => ({ kind: "label", sourceId })),
  unnamed: { kind: "cardLabel", count: ({ labelPublicIds }) => labelPublicIds.length },
  async insert(step, cards, lookUp) {
    const { tx, target } = step;
    const joined = { workspaceId: target.id, createdAt: tx.now };
    const labelled = cards.flatMap(({ card, row }) =>
      card.labelPublicIds.flatMap((sourceId) => {
        const label = lookUp("label", sourceId);
        return label?.isLive === true
          ? [{ cardId: row.id, labelId: label.targetId, ...joined }]
          : [];
      }),
    );
    await insertRows(tx.query, "card_labels", labelled, sql`ON CONFLICT DO NOTHING`);
    for (const card of cards) countLabels(step, { ...card, outcome: "created" }, lookUp);
  },
  async count(step, cards, lookUp) {
    const rows = await step.tx.query<{ pair: string }>(sql`
      SELECT "cardId" || ' ' || "labelId" AS pair FROM card_labels
      WHERE "cardId" = ANY(${cards.map(({ row }) => row.id)}::bigint[])`);
    const pairs = new Set(rows.map(({ pair }) => pair));
    for (const card of cards)
      countLabels(step, card, lookUp, (labelId) => pairs.has(`${card.row.id} ${labelId}`));
  },
};
