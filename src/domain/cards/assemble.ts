import type { z } from "zod";
import type { CardSummary } from "../../contract/resources/cards.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn, type ColumnsIn } from "../../contract/fields/field.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { claimOf } from "./claim-sql.ts";
import { columnsOf, showIn } from "../declared-fields.ts";
import { cardParts } from "../parts/card.ts";
import { countColumns } from "../parts/counts.ts";
import type { CardCounts, Part, ShownSummary, SummaryRow } from "../parts/part.ts";

type Summary = z.infer<typeof CardSummary>;
type Entry = Omit<Summary, "listPublicId" | "createdAt" | "updatedAt">;
/** A card as it is read for a board. */
export type CardEntryRow = Pick<CardRow, "id" | ColumnsIn<typeof cardFields, "entry">> &
  CardCounts & { hasDescription: boolean; claim: Summary["claim"] };
/** A card as it is read for a list of cards. */
export type CardListRow = CardEntryRow &
  Pick<CardRow, ColumnsIn<typeof cardFields, "summary">> & {
    listPublicId: string;
    prefix: string;
    index: bigint | null;
  };

const entryWith = (claim: Sql) => sql`c.id, coalesce(c.description, '') <> '' AS "hasDescription",
  ${claim} AS claim, ${countColumns(sql`c`)}, ${columnsOf(fieldsIn(cardFields, "entry"), "c")}`;
const summaryWith = (claim: Sql) => sql`${entryWith(claim)}, l."publicId" AS "listPublicId",
  w."cardPrefix" AS prefix, ${columnsOf(fieldsIn(cardFields, "summary"), "c")}`;

/** SQL: the columns of `CardEntryRow`. */
export const entryColumns = entryWith(claimOf);
/** SQL: the columns of `CardListRow`, without the index. */
export const summaryColumns = summaryWith(claimOf);
/** SQL: the same of a card that nobody has claimed. */
export const unclaimedColumns = summaryWith(sql`NULL`);

const showEntry = showIn(cardFields, "entry");
const show = showIn(cardFields, "entry", "summary");

/** A record without a static type: the declaration decides what it holds. */
const recordOf = (entries: unknown[][]) => Object.fromEntries(entries);

const shownParts = Object.values<Part>(cardParts).map(
  ({ summary }): ((card: CardCounts) => Partial<ShownSummary>) => {
    if ("count" in summary) return summary.count;
    if ("empty" in summary) return () => structuredClone(summary.empty);
    return "map" in summary ? () => ({ [summary.map]: {} }) : () => ({ [summary.field]: [] });
  },
);

/** The counts of a card, and its other parts empty, as lists of cards show them. */
export function withoutThings(card: CardCounts): ShownSummary {
  const shown = recordOf([]);
  for (const shownPart of shownParts) Object.assign(shown, shownPart(card));
  return shown;
}

/** A card on a board, without the things on it. */
export const entryOf = (row: CardEntryRow, prefix: string, index: number | null): Entry => ({
  ...showEntry(row, prefix),
  hasDescription: row.hasDescription,
  index,
  claim: row.claim,
  ...withoutThings(row),
});

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
  ...withoutThings(row),
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

export function attach(
  card: ShownSummary | undefined,
  { kind, publicId, name, extra }: SummaryRow,
) {
  const summary = parts.get(kind)?.summary;
  if (card === undefined || summary === undefined || "count" in summary) return;
  if (publicId === null || name === null) return;
  if ("empty" in summary) Object.assign(card, JSON.parse(name));
  else if ("map" in summary) summary.add(card[summary.map], { publicId, name, extra });
  else {
    const shown: object[] = card[summary.field];
    shown.push(summary.view({ publicId, name, extra }));
  }
}
