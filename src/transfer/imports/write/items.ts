import { generateNKeysBetween } from "fractional-indexing";
import type { z } from "zod";
import { viewChecklist, viewItem } from "../../../domain/views/checklists.ts";
import type { ChecklistItem } from "../../../contract/resources/checklists.ts";
import { lastOf } from "../bulk/positions.ts";
import { insertRows } from "../bulk/rows.ts";
import { remember } from "../bulk/imported.ts";
import type { SourceChecklist, SourceItem } from "../model.ts";
import { momentOrNull, newRow, type Making, type Target } from "./step.ts";
import type { LookUp, Onto } from "./imported-card.ts";

/** A checklist that is here; what is `told` goes into the event of a new one. */
export type Listed = {
  on: Onto;
  checklist: SourceChecklist;
  row: { id: bigint; publicId: string; name: string; version: number };
  told?: z.infer<typeof ChecklistItem>[];
};

type Fresh = { listed: Listed; item: SourceItem; position: string };

/** Writes the items of checklists that are not there yet, after those that are. */
export async function writeItems(
  making: Making,
  target: Target,
  checklists: Listed[],
  known: LookUp,
): Promise<void> {
  const { run, tx, made } = making;
  const fresh = await findRoom(making, checklists, known);
  const rows = await insertRows(
    tx.query,
    "checklist_items",
    fresh.map(({ listed, item, position }) => ({
      ...newRow(making),
      checklistId: listed.row.id,
      title: item.title,
      position,
      memberId: item.person?.id ?? null,
      dueDate: momentOrNull(item.dueDate),
      completedAt: item.isComplete ? tx.now : null,
    })),
  );
  made.add("checklistItem", "created", rows.length);
  const things = rows.map(({ id }, place) => {
    const sourceId = fresh[place]?.item.sourceId ?? "";
    return { kind: "checklistItem" as const, sourceId, targetId: id };
  });
  await remember(tx, run.row, target.board.id, things);
  for (const [place, row] of rows.entries()) {
    const one = fresh[place];
    if (one === undefined) continue;
    const { on, row: of, told } = one.listed;
    const memberPublicId = one.item.person?.publicId ?? null;
    const checklistItem = viewItem({ ...row, memberPublicId });
    const data = { checklistItem, checklist: viewChecklist(of), ...on.around };
    if (told === undefined) on.tell.push(() => tx.emit("checklist_item.created", data));
    else told.push(checklistItem);
  }
}

/** The new items for which their checklists have room, and where they go. */
async function findRoom({ tx, made }: Making, all: Listed[], known: LookUp): Promise<Fresh[]> {
  const most = tx.limits.checklist_items;
  const old = all.flatMap(({ told, row }) => (told === undefined ? [row.id] : []));
  const last = old.length === 0 ? undefined : await lastOf(tx.query, "checklist_items", old);
  return all.flatMap((listed) => {
    const { position, count } = last?.get(listed.row.id) ?? { position: null, count: 0 };
    const fresh: SourceItem[] = [];
    for (const item of listed.checklist.items) {
      const before = known({ kind: "checklistItem", sourceId: item.sourceId });
      if (before !== undefined) made.add("checklistItem", before.mine ? "created" : "alreadyThere");
      else fresh.push(item);
    }
    for (const { sourceId, title } of fresh.splice(Math.max(0, most - count))) {
      made.lose({
        kind: "checklistItem",
        sourceId,
        name: title,
        reason: `A checklist has at most ${most} items.`,
      });
    }
    const keys = generateNKeysBetween(position, null, fresh.length);
    return fresh.map((item, place) => ({ listed, item, position: keys[place] ?? "" }));
  });
}
