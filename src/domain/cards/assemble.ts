import type { z } from "zod";
import type { CardSummary } from "../../contract/resources/cards.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { fieldsIn, type ColumnsIn } from "../../contract/fields/field.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { claimOf } from "./claim-sql.ts";
import { columnsOf, showIn } from "../fields.ts";

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

/** A label or member of a card, or a count. */
export type Relation = {
  cardId: bigint;
  kind: "label" | "member" | "items" | "comments" | "attachments";
  publicId: string | null;
  name: string | null;
  extra: string | null;
  total: bigint;
  done: bigint;
};

/** Combines cards with their relations. */
export function assemble(rows: CardListRow[], related: Relation[]): Summary[] {
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

/** What a card shows of its relations before they are attached. */
export const noRelations = () => ({
  labels: [],
  members: [],
  checklistItems: { total: 0, completed: 0 },
  commentCount: 0,
  attachmentCount: 0,
});

function attach(card: Summary | undefined, relation: Relation) {
  if (card === undefined) return;
  const { kind, publicId, name, extra, total, done } = relation;
  if (kind === "items") card.checklistItems = { total: Number(total), completed: Number(done) };
  else if (kind === "comments") card.commentCount = Number(total);
  else if (kind === "attachments") card.attachmentCount = Number(total);
  else if (publicId !== null && name !== null) {
    if (kind === "label") card.labels.push({ publicId, name, colourCode: extra });
    else card.members.push({ publicId, name, image: extra });
  }
}
