import { lockedCards } from "../../../domain/cards/lock-cards.ts";
import { cardName } from "../../../domain/shown/cards.ts";
import type { Card as CardRow } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { ReportDraft } from "../job/report.ts";
import { importedParts, sourceParts } from "./card-parts.ts";
import type { LookUp } from "./identity.ts";
import type { SourceCard } from "./model.ts";
import {
  goneSince,
  visibleToStarter,
  type Cards,
  type EarlierCard,
  type ImportStep,
} from "./step.ts";

const activity = { kind: "activity", count: ({ history = [] }: SourceCard) => history.length };

/** Skips a card and everything on it. */
export function skipCard(report: ReportDraft, card: SourceCard, reason: string): void {
  const { sourceId, title: name } = card;
  report.skip({ kind: "card", sourceId, name, reason });
  for (const issue of card.issues) if (issue.severity !== "partial") report.skip(issue);
  const skipped = "The card was not imported.";
  const unnamed = [activity, ...importedParts.flatMap((part) => part.unnamed ?? [])];
  for (const { kind, count } of unnamed)
    if (count(card) > 0) report.skip({ kind, sourceId, name, count: count(card), reason: skipped });
  for (const part of sourceParts(card)) report.skip({ ...part, name, reason: skipped });
}

type Row = CardRow & Record<"listPublicId" | "listName" | "boardPublicId" | "boardName", string>;

/** Locks the cards that were imported before, and counts them; those that are gone are skipped. */
export async function lockKnownCards(
  step: ImportStep,
  cards: SourceCard[],
  lookUp: LookUp,
): Promise<Cards> {
  const earlierCards = cards.flatMap((card) => {
    const before = lookUp("card", card.sourceId);
    return before === undefined ? [] : [{ card, ...before }];
  });
  if (earlierCards.length === 0) return new Map();
  const ids = earlierCards.map(({ targetId }) => targetId);
  const rows = new Map((await lockRows(step, ids)).map((row) => [row.id, row]));
  const writtenCards: Cards = new Map();
  const earlier: EarlierCard[] = [];
  for (const { card, targetId, mine } of earlierCards) {
    const row = rows.get(targetId);
    if (row === undefined) {
      skipCard(step.report, card, goneSince);
      continue;
    }
    const list = { publicId: row.listPublicId, name: row.listName };
    const board = { publicId: row.boardPublicId, name: row.boardName };
    const eventRefs = { card: cardName(row, step.target), list, board };
    const isOwn = row.createdById !== null && row.createdById === step.context.row.createdById;
    const { may, keyAllows } = step.target;
    const isEditable = mine || may.has("card:edit") || (isOwn && keyAllows("card:edit"));
    const { id, boardId } = row;
    writtenCards.set(card, { id, boardId, isNew: false, isEditable, eventRefs, events: [] });
    const outcome = mine ? "created" : "alreadyThere";
    step.report.add("card", outcome);
    step.report.add("activity", outcome, activity.count(card));
    earlier.push({ card, row, outcome });
  }
  for (const { count } of importedParts) await count?.(step, earlier, lookUp);
  return writtenCards;
}

/** Locks live cards on their current boards, if the starter may see these. */
const lockRows = (step: ImportStep, ids: bigint[]) =>
  step.tx.query<Row>(sql`
    WITH c AS MATERIALIZED (${lockedCards(
      sql`id = ANY(${ids}::bigint[]) AND "workspaceId" = ${step.target.id} AND "deletedAt" IS NULL`,
      { columns: sql`*` },
    )})
    SELECT c.*, l."publicId" AS "listPublicId", l.name AS "listName",
      b."publicId" AS "boardPublicId", b.name AS "boardName"
    FROM c JOIN lists l ON l.id = c."listId" AND l."deletedAt" IS NULL
    JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL
    WHERE ${visibleToStarter(step)} ORDER BY c.id`);
