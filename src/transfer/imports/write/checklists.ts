import { generateNKeysBetween } from "fractional-indexing";
import type { z } from "zod";
import type { ChecklistItem } from "../../../contract/resources/checklists.ts";
import { viewChecklist } from "../../../domain/views/checklists.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { LookUp } from "./identity.ts";
import { writeItems, type WrittenChecklist } from "./items.ts";
import type { SourceChecklist } from "./model.ts";
import { lastPositions } from "./positions.ts";
import { announce, goneSince, insertNew, newRow, type ImportStep } from "./step.ts";
import type { Cards, WrittenCard } from "./written-card.ts";

type Planned = { card: WrittenCard; checklist: SourceChecklist; position: string };

/** Writes the checklists that cards do not have yet, after the others, and all missing items. */
export async function writeChecklists(step: ImportStep, cards: Cards, known: LookUp) {
  const earlier = await findEarlier(step, cards, known);
  const planned = await planChecklists(step, cards, known);
  const rows = planned.map(({ card, checklist, position }) => {
    const row = { ...newRow(step, checklist), cardId: card.id, name: checklist.name, position };
    return { card, checklist, sourceId: checklist.sourceId, row };
  });
  const inserted = await insertNew(step, "checklist", "checklists", rows);
  const created = inserted.map(({ card, checklist, row }): WrittenChecklist => {
    const items: z.infer<typeof ChecklistItem>[] = [];
    const shown = { ...viewChecklist(row), items };
    card.events.push(() =>
      announce(step, "checklist.created", { checklist: shown, ...card.around }),
    );
    return { card, checklist, row, items };
  });
  await writeItems(step, [...created, ...earlier], known);
}

/** The checklists that were imported before; those that are gone are skipped. */
async function findEarlier(
  { tx, report }: ImportStep,
  cards: Cards,
  known: LookUp,
): Promise<WrittenChecklist[]> {
  const before = [...cards].flatMap(([{ checklists }, card]) =>
    checklists.flatMap((checklist) => {
      const found = known("checklist", checklist.sourceId);
      return found === undefined ? [] : [{ card, checklist, ...found }];
    }),
  );
  if (before.length === 0) return [];
  const ids = before.map(({ targetId }) => targetId);
  const rows = await tx.query<WrittenChecklist["row"]>(sql`
    SELECT id, "publicId", name, version FROM checklists
    WHERE id = ANY(${ids}::bigint[]) AND "deletedAt" IS NULL`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return before.flatMap(({ card, checklist, targetId, mine }): WrittenChecklist[] => {
    const row = byId.get(targetId);
    if (row === undefined) {
      skipChecklist({ report }, checklist, goneSince);
      return [];
    }
    report.add("checklist", mine ? "created" : "alreadyThere");
    return [{ card, checklist, row }];
  });
}

/** The new checklists with their positions, up to the limit of a card. */
async function planChecklists(step: ImportStep, cards: Cards, known: LookUp): Promise<Planned[]> {
  const max = step.tx.limits.checklists;
  const earlier = [...cards.values()].flatMap(({ isNew, id }) => (isNew ? [] : [id]));
  const last = await lastPositions(step.tx.query, "checklists", earlier);
  return [...cards].flatMap(([{ checklists }, card]) => {
    const { position, count } = last.get(card.id) ?? { position: null, count: 0 };
    const fresh = checklists.filter(({ sourceId }) => known("checklist", sourceId) === undefined);
    const reason = `A card has at most ${max} checklists.`;
    for (const checklist of fresh.splice(Math.max(0, max - count)))
      skipChecklist(step, checklist, reason);
    const positions = generateNKeysBetween(position, null, fresh.length);
    return fresh.map((checklist, nth) => ({ card, checklist, position: positions[nth] ?? "" }));
  });
}

function skipChecklist(
  { report }: Pick<ImportStep, "report">,
  { sourceId, name, items }: SourceChecklist,
  reason: string,
) {
  report.skip({ kind: "checklist", sourceId, name, reason });
  const skipped = { kind: "checklistItem", reason: "The checklist was not imported." };
  for (const item of items) report.skip({ ...skipped, sourceId: item.sourceId, name: item.title });
}
