import type { z } from "zod";
import type { CardSummary } from "../../contract/resources/cards.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn, type ColumnsIn } from "../../contract/fields/field.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { claimOf } from "./claim-sql.ts";
import { columnsOf, showIn } from "../declared-fields.ts";
import { cardParts } from "../parts/card.ts";
import type { Part, ShownSummary, SummaryRow } from "../parts/part.ts";

type Summary = z.infer<typeof CardSummary>;
/** A card as it is read for a list of cards. */
export type CardListRow = Pick<
  CardRow,
  "id" | ColumnsIn<typeof cardFields, "entry" | "summary">
> & {
  listPublicId: string;
  prefix: string;
  hasDescription: boolean;
  index: bigint | null;
  claim: Summary["claim"];
};

/** SQL: the columns of `CardListRow`, without the index. */
export const summaryColumns = sql`c.id, l."publicId" AS "listPublicId", w."cardPrefix" AS prefix,
  coalesce(c.description, '') <> '' AS "hasDescription",
  ${claimOf} AS claim, ${columnsOf(fieldsIn(cardFields, "entry", "summary"), "c")}`;

const show = showIn(cardFields, "entry", "summary");

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

const emptyRelations = Object.values(cardParts).flatMap(
  ({ summary }): [string, () => unknown][] => {
    if ("count" in summary) {
      return Object.entries(summary.count(0, 0)).map(([name, value]) => [name, () => value]);
    }
    return "map" in summary ? [[summary.map, () => ({})]] : [[summary.field, () => []]];
  },
);

/** The empty parts of a card, as lists of cards show them. */
export function noRelations(): ShownSummary {
  const relations = recordOf([]);
  for (const [name, empty] of emptyRelations) relations[name] = empty();
  return relations;
}

/** Combines cards with what is on them. */
export function assemble(rows: CardListRow[], related: SummaryRow[]): Summary[] {
  const cards = new Map(rows.map((row) => [row.id, summaryOf(row)]));
  for (const relation of related) attach(cards.get(relation.cardId), relation);
  return [...cards.values()];
}

const summaryOf = (row: CardListRow): Summary => ({
  ...show(row, row.prefix),
  hasDescription: row.hasDescription,
  index: row.index === null ? null : Number(row.index),
  listPublicId: row.listPublicId,
  claim: row.claim,
  ...noRelations(),
});

/** A new card without any parts, as lists of cards show it. */
export const newSummary = (
  card: CardRow & { index: number },
  { list, workspace }: { list: { publicId: string }; workspace: { cardPrefix: string } },
): Summary =>
  summaryOf({
    ...card,
    listPublicId: list.publicId,
    prefix: workspace.cardPrefix,
    hasDescription: (card.description ?? "") !== "",
    index: BigInt(card.index),
    claim: null,
  });

const parts = new Map<string, Part>(Object.entries(cardParts));

function attach(
  card: Summary | undefined,
  { kind, publicId, name, extra, total, done }: SummaryRow,
) {
  const summary = parts.get(kind)?.summary;
  if (card === undefined || summary === undefined) return;
  if ("count" in summary) Object.assign(card, summary.count(Number(total), Number(done)));
  else if (publicId === null || name === null) return;
  else if ("map" in summary) summary.add(card[summary.map], { publicId, name, extra });
  else {
    const relations: object[] = card[summary.field];
    relations.push(summary.view({ publicId, name, extra }));
  }
}
