import { lockedCards } from "../../../domain/cards/lock-cards.ts";
import { cardName } from "../../../domain/views/cards.ts";
import type { Card as CardRow } from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { ReportDraft, Outcome } from "../job/report.ts";
import { refsOf, type LookUp, type SourceRef } from "./identity.ts";
import type { SourceCard } from "./model.ts";
import { goneSince, visibleToStarter, type ImportStep } from "./step.ts";

type Ref = { publicId: string; name: string };

/** A card of this service that the source has too: new, or imported before. */
export type WrittenCard = {
  id: bigint;
  boardId: bigint;
  isNew: boolean;
  /** Whether the starter of the import may edit the card. */
  isEditable: boolean;
  /** As events name it. */
  around: { card: ReturnType<typeof cardName>; list: Ref; board: Ref };
  /** Emits the events of the card; called in order when everything is written. */
  events: (() => void)[];
};

/** The permission that the starter of the import lacks to write onto a card, or null. */
export const lacksEdit = ({ isEditable }: WrittenCard) => (isEditable ? null : "card:edit");

/** The cards of a step that are in this service. */
export type Cards = Map<SourceCard, WrittenCard>;

/** Everything on a card that is found by its source id. */
export const sourceParts = ({ checklists, comments, attachments }: SourceCard): SourceRef[] => [
  ...refsOf("checklist", checklists),
  ...checklists.flatMap(({ items }) => refsOf("checklistItem", items)),
  ...refsOf("comment", comments),
  ...refsOf("attachment", attachments),
];

/** Skips a card and everything on it. */
export function skipCard(report: ReportDraft, card: SourceCard, reason: string): void {
  const { sourceId, title: name } = card;
  report.skip({ kind: "card", sourceId, name, reason });
  for (const issue of card.issues) if (issue.severity !== "partial") report.skip(issue);
  const counts = {
    cardMember: card.members.length,
    cardLabel: card.labelIds.length,
    activity: card.history?.length ?? 0,
  };
  const skipped = "The card was not imported.";
  for (const [kind, count] of Object.entries(counts))
    if (count > 0) report.skip({ kind, sourceId, name, count, reason: skipped });
  for (const part of sourceParts(card)) report.skip({ ...part, name, reason: skipped });
}

/** Counts what a card in this service has without a source id: labels and history. */
export function countCard(
  { report }: ImportStep,
  { sourceId, title, labelIds, history = [] }: SourceCard,
  known: LookUp,
  outcome: Outcome,
  { cardPublicId, has }: { cardPublicId: string; has?: ((labelId: bigint) => boolean) | undefined },
): void {
  report.add("activity", outcome, history.length);
  for (const id of labelIds) {
    const label = known("label", id);
    const reason = label?.isLive === true ? unchangedCard : "Its label is not here.";
    if (label?.isLive === true && has?.(label.targetId) !== false) report.add("cardLabel", outcome);
    else report.skip({ kind: "cardLabel", sourceId, name: title, reason, cardPublicId });
  }
}

const unchangedCard = "The labels and members of a card that was imported before do not change.";

type Row = CardRow & Record<"listPublicId" | "listName" | "boardPublicId" | "boardName", string>;

/** Locks the cards that were imported before, and counts them; those that are gone are skipped. */
export async function lockKnownCards(
  step: ImportStep,
  cards: SourceCard[],
  known: LookUp,
): Promise<Cards> {
  const found = cards.flatMap((card) => {
    const before = known("card", card.sourceId);
    return before === undefined ? [] : [{ card, ...before }];
  });
  if (found.length === 0) return new Map();
  const ids = found.map(({ targetId }) => targetId);
  const rows = new Map((await lockRows(step, ids)).map((row) => [row.id, row]));
  const relations = await readRelations(step, ids);
  const written: Cards = new Map();
  for (const { card, targetId, mine } of found) {
    const row = rows.get(targetId);
    if (row === undefined) {
      skipCard(step.report, card, goneSince);
      continue;
    }
    const list = { publicId: row.listPublicId, name: row.listName };
    const board = { publicId: row.boardPublicId, name: row.boardName };
    const around = { card: cardName(row, step.target), list, board };
    const isOwn = row.createdById !== null && row.createdById === step.context.row.createdById;
    const { may, keyAllows } = step.target;
    const isEditable = mine || may.has("card:edit") || (isOwn && keyAllows("card:edit"));
    const { id, boardId } = row;
    written.set(card, { id, boardId, isNew: false, isEditable, around, events: [] });
    const outcome = mine ? "created" : "alreadyThere";
    step.report.add("card", outcome);
    const { labels, members } = relations.get(targetId) ?? noRelations;
    const has = (labelId: bigint) => labels.has(labelId);
    countCard(step, card, known, outcome, { cardPublicId: row.publicId, has });
    const assigned = card.members.filter((one) => members.has(one.id)).length;
    step.report.add("cardMember", outcome, assigned);
    const count = card.members.length - assigned;
    const issue = { kind: "cardMember", sourceId: card.sourceId, name: card.title, count };
    // The run that wrote the card has reported who could not be assigned.
    if (mine) step.report.add("cardMember", "leftOut", count);
    else if (count > 0)
      step.report.skip({ ...issue, reason: unchangedCard, cardPublicId: row.publicId });
  }
  return written;
}

type Relations = { labels: ReadonlySet<bigint>; members: ReadonlySet<bigint> };
const noRelations: Relations = { labels: new Set(), members: new Set() };

/** The labels and members of cards, by their ids. */
async function readRelations({ tx }: ImportStep, ids: bigint[]): Promise<Map<bigint, Relations>> {
  const rows = await tx.query<{ id: bigint; labels: string[]; members: string[] }>(sql`
    SELECT c.id,
      ARRAY(SELECT cl."labelId"::text FROM card_labels cl WHERE cl."cardId" = c.id) AS labels,
      ARRAY(SELECT cm."memberId"::text FROM card_members cm WHERE cm."cardId" = c.id) AS members
    FROM cards c WHERE c.id = ANY(${ids}::bigint[])`);
  const setOf = (texts: string[]) => new Set(texts.map(BigInt));
  return new Map(
    rows.map(({ id, labels, members }) => [id, { labels: setOf(labels), members: setOf(members) }]),
  );
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
