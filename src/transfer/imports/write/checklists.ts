import type { z } from "zod";
import type { ChecklistItem } from "../../../contract/resources/checklists.ts";
import { viewChecklist, viewItem } from "../../../domain/views/checklists.ts";
import { sql } from "../../../platform/db/sql.ts";
import type { LookUp } from "./identity.ts";
import type { SourceChecklist } from "./model.ts";
import { writeParts } from "./parts.ts";
import { announce, momentOf, type ImportStep } from "./step.ts";
import { lacksEdit, type Cards, type WrittenCard } from "./written-card.ts";

type ChecklistRow = { id: bigint; publicId: string; name: string; version: number };

/** A checklist of this service. The event of a new one shows its items. */
type WrittenChecklist = {
  id: bigint;
  isNew: boolean;
  card: WrittenCard;
  checklist: SourceChecklist;
  row: ChecklistRow;
  items: z.infer<typeof ChecklistItem>[];
};

/** Writes the checklists that cards do not have yet, after the others, and all missing items. */
export async function writeChecklists(step: ImportStep, cards: Cards, known: LookUp) {
  const written = await writeParts(step, known, {
    kind: "checklist",
    parents: [...cards].map(([{ checklists }, card]) => [card, checklists] as const),
    lacks: lacksEdit,
    nameOf: ({ name }) => name,
    rowOf: (base, { name }, card, position) => ({ ...base, cardId: card.id, name, position }),
    skip: (checklist, reason) => skipChecklist(step, checklist, reason),
  });
  const created = written.map(({ parent: card, item: checklist, row }): WrittenChecklist => {
    const items: WrittenChecklist["items"] = [];
    const shown = { ...viewChecklist(row), items };
    card.events.push(() =>
      announce(step, "checklist.created", { checklist: shown, ...card.around }),
    );
    return { id: row.id, isNew: true, card, checklist, row, items };
  });
  await writeItems(step, [...created, ...(await findEarlier(step, cards, known))], known);
}

async function writeItems(step: ImportStep, checklists: WrittenChecklist[], known: LookUp) {
  const written = await writeParts(step, known, {
    kind: "checklistItem",
    parents: checklists.map((of) => [of, of.checklist.items] as const),
    lacks: ({ card }) => lacksEdit(card),
    nameOf: ({ title }) => title,
    rowOf: (base, { title, person, dueDate, completedAt }, { id: checklistId }, position) => ({
      ...base,
      checklistId,
      title,
      position,
      memberId: person?.id ?? null,
      dueDate: momentOf(dueDate, step.tx.now),
      completedAt: momentOf(completedAt, step.tx.now),
    }),
  });
  for (const { parent, item, row } of written) {
    const checklistItem = viewItem({ ...row, memberPublicId: item.person?.publicId ?? null });
    const { around, events } = parent.card;
    const data = { checklistItem, checklist: viewChecklist(parent.row), ...around };
    if (parent.isNew) parent.items.push(checklistItem);
    else events.push(() => announce(step, "checklist_item.created", data));
  }
}

/** The live checklists that were imported before. */
async function findEarlier(
  { tx }: ImportStep,
  cards: Cards,
  known: LookUp,
): Promise<WrittenChecklist[]> {
  const before = [...cards].flatMap(([{ checklists }, card]) =>
    checklists.flatMap((checklist) => {
      const found = known("checklist", checklist.sourceId);
      return found?.isLive === true ? [{ card, checklist, id: found.targetId }] : [];
    }),
  );
  if (before.length === 0) return [];
  const rows = await tx.query<ChecklistRow>(sql`
    SELECT id, "publicId", name, version FROM checklists
    WHERE id = ANY(${before.map(({ id }) => id)}::bigint[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return before.flatMap((checklist): WrittenChecklist[] => {
    const row = byId.get(checklist.id);
    return row === undefined ? [] : [{ ...checklist, isNew: false, row, items: [] }];
  });
}

function skipChecklist({ report }: ImportStep, checklist: SourceChecklist, reason: string) {
  const { sourceId, name, items } = checklist;
  report.skip({ kind: "checklist", sourceId, name, reason });
  const skipped = { kind: "checklistItem", reason: "The checklist was not imported." };
  for (const item of items) report.skip({ ...skipped, sourceId: item.sourceId, name: item.title });
}
