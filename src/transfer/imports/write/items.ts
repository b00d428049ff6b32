import { generateNKeysBetween } from "fractional-indexing";
import type { z } from "zod";
import type { ChecklistItem } from "../../../contract/resources/checklists.ts";
import { viewChecklist, viewItem } from "../../../domain/views/checklists.ts";
import type { LookUp } from "./identity.ts";
import type { SourceChecklist, SourceChecklistItem } from "./model.ts";
import { lastPositions } from "./positions.ts";
import { announce, insertNew, momentOf, newRow, withoutKnown, type ImportStep } from "./step.ts";
import type { WrittenCard } from "./written-card.ts";

/** A checklist of this service. A new one has `items`, which its event shows. */
export type WrittenChecklist = {
  card: WrittenCard;
  checklist: SourceChecklist;
  row: { id: bigint; publicId: string; name: string; version: number };
  items?: z.infer<typeof ChecklistItem>[];
};

type Planned = { of: WrittenChecklist; item: SourceChecklistItem; position: string };

/** Writes the items that checklists do not have yet, after the others. */
export async function writeItems(step: ImportStep, checklists: WrittenChecklist[], known: LookUp) {
  const { tx } = step;
  const planned = await planItems(step, checklists, known);
  const rows = planned.map(({ of, item, position }) => ({
    of,
    item,
    sourceId: item.sourceId,
    row: {
      ...newRow(step, item),
      checklistId: of.row.id,
      title: item.title,
      position,
      memberId: item.person?.id ?? null,
      dueDate: momentOf(item.dueDate, tx.now),
      completedAt: momentOf(item.completedAt, tx.now),
    },
  }));
  for (const { of, item, row } of await insertNew(step, "checklistItem", "checklist_items", rows)) {
    const memberPublicId = item.person?.publicId ?? null;
    const checklistItem = viewItem({ ...row, memberPublicId });
    const { around, events } = of.card;
    const data = { checklistItem, checklist: viewChecklist(of.row), ...around };
    if (of.items !== undefined) of.items.push(checklistItem);
    else events.push(() => announce(step, "checklist_item.created", data));
  }
}

/** The new items with their positions, up to the limit of a checklist. */
async function planItems(
  step: ImportStep,
  checklists: WrittenChecklist[],
  known: LookUp,
): Promise<Planned[]> {
  const max = step.tx.limits.checklist_items;
  const earlier = checklists.flatMap(({ items, row }) => (items === undefined ? [row.id] : []));
  const last = await lastPositions(step.tx.query, "checklist_items", earlier);
  return checklists.flatMap((of) => {
    const { position, count } = last.get(of.row.id) ?? { position: null, count: 0 };
    const fresh = withoutKnown(step, known, "checklistItem", of.checklist.items);
    const reason = `A checklist has at most ${max} items.`;
    for (const { sourceId, title: name } of fresh.splice(Math.max(0, max - count)))
      step.report.skip({ kind: "checklistItem", sourceId, name, reason });
    const positions = generateNKeysBetween(position, null, fresh.length);
    return fresh.map((item, nth) => ({ of, item, position: positions[nth] ?? "" }));
  });
}
