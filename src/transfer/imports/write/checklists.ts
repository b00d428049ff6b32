import type { z } from "zod";
import { isWholeDay } from "../../../contract/vocabulary/whole-days.ts";
import type { ChecklistItem } from "../../../contract/resources/checklists.ts";
import { showChecklist, showItem } from "../../../domain/presenters/checklists.ts";
import { sql } from "../../../platform/db/sql.ts";
import { reportedOnce } from "../job/report.ts";
import { pairsOf, visiblePairs } from "../../../domain/imports/assign.ts";
import { refsOf, type LookUp } from "./identity.ts";
import type { SourceChecklist } from "./source.ts";
import { writeParts } from "./parts.ts";
import {
  announce,
  dateOfMoment,
  lacksEdit,
  type Cards,
  type ImportedPart,
  type ImportStep,
  type WrittenCard,
} from "./step.ts";

type Pair = { cardId: bigint; memberId: bigint };
type ChecklistRow = { id: bigint; publicId: string; name: string; version: number };

/** A checklist of a card in this service. The event of a new one shows its items. */
type WrittenChecklist = WrittenCard & {
  cardId: bigint;
  checklist: SourceChecklist;
  row: ChecklistRow;
  items: z.infer<typeof ChecklistItem>[];
};

/** Writes the checklists that cards do not have yet, after the others, and all missing items. */
async function writeChecklists(step: ImportStep, cards: Cards, lookUp: LookUp) {
  const writtenParts = await writeParts(step, lookUp, {
    kind: "checklist",
    parents: [...cards].map(([{ checklists }, card]) => [card, checklists] as const),
    lacks: lacksEdit,
    nameOf: ({ name }) => name,
    rowOf: (base, { name }, card, position) => ({ ...base, cardId: card.id, name, position }),
    skip: (checklist, { eventRefs }, reason) =>
      skipChecklist(step, checklist, eventRefs.card.publicId, reason),
  });
  const created = writtenParts.map(({ parent: card, item: checklist, row }): WrittenChecklist => {
    const items: WrittenChecklist["items"] = [];
    const shownChecklist = { ...showChecklist(row), items };
    card.events.push(() =>
      announce(step, "checklist.created", { checklist: shownChecklist, ...card.eventRefs }),
    );
    return { ...card, id: row.id, isNew: true, cardId: card.id, checklist, row, items };
  });
  await writeItems(step, [...created, ...(await findEarlier(step, cards, lookUp))], lookUp);
}

async function writeItems(step: ImportStep, checklists: WrittenChecklist[], lookUp: LookUp) {
  const assigned = await findAssignable(step, checklists);
  const { family } = step.context.row;
  const writtenItems = await writeParts(step, lookUp, {
    kind: "checklistItem",
    parents: checklists.map((of) => [of, of.checklist.items] as const),
    lacks: lacksEdit,
    nameOf: ({ title }) => title,
    rowOf: (base, item, { id: checklistId }, position) => {
      const importAssigneeId = step.isArchive ? null : item.memberPublicId;
      return {
        ...base,
        checklistId,
        title: item.title,
        position,
        memberId: assigned.get(item)?.id ?? null,
        dueDate: dateOfMoment(item.dueDate, step.tx.now),
        isDueAllDay: item.isDueAllDay === true || isWholeDay(item.dueDate),
        completedAt: dateOfMoment(item.completedAt, step.tx.now),
        importSource: importAssigneeId === null ? null : family,
        importAssigneeId,
      };
    },
  });
  for (const { parent, item, row } of writtenItems) {
    const memberPublicId = assigned.get(item)?.publicId ?? null;
    const checklistItem = showItem({ ...row, memberPublicId });
    const { eventRefs, events } = parent;
    const { publicId: sourceId, title: name } = item;
    const issue = { kind: "checklistItem", sourceId, name, cardPublicId: eventRefs.card.publicId };
    if (row.memberId === null && step.members.has(item.memberPublicId ?? ""))
      step.report.skip({ ...issue, severity: "partial", reason: reportedOnce.cannotSee });
    const data = { checklistItem, checklist: showChecklist(parent.row), ...eventRefs };
    if (parent.isNew) parent.items.push(checklistItem);
    else events.push(() => announce(step, "checklist_item.created", data));
  }
}

/** Finds the members of items who see the cards of these. */
async function findAssignable({ tx, members }: ImportStep, checklists: WrittenChecklist[]) {
  const pairs = checklists.flatMap(({ cardId, checklist }) =>
    checklist.items.flatMap((item) => {
      const member = members.get(item.memberPublicId ?? "");
      return member === undefined ? [] : [{ item, member, cardId, memberId: member.id }];
    }),
  );
  const rows = pairs.length === 0 ? [] : await tx.query<Pair>(visiblePairs(pairsOf(pairs)));
  const visible = new Set(rows.map(({ cardId, memberId }) => `${cardId} ${memberId}`));
  return new Map(
    pairs
      .filter(({ cardId, memberId }) => visible.has(`${cardId} ${memberId}`))
      .map(({ item, member }) => [item, member]),
  );
}

/** The live checklists that were imported before. */
async function findEarlier(
  { tx }: ImportStep,
  cards: Cards,
  lookUp: LookUp,
): Promise<WrittenChecklist[]> {
  const before = [...cards].flatMap(([{ checklists }, card]) =>
    checklists.flatMap((checklist) => {
      const earlier = lookUp("checklist", checklist.publicId);
      return earlier?.isLive === true ? [{ card, checklist, id: earlier.targetId }] : [];
    }),
  );
  if (before.length === 0) return [];
  const rows = await tx.query<ChecklistRow>(sql`
    SELECT id, "publicId", name, version FROM checklists
    WHERE id = ANY(${before.map(({ id }) => id)}::bigint[])`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return before.flatMap(({ card, checklist, id }): WrittenChecklist[] => {
    const row = byId.get(id);
    const checklistState = { id, isNew: false, cardId: card.id, checklist, items: [] };
    return row === undefined ? [] : [{ ...card, ...checklistState, row }];
  });
}

function skipChecklist(
  { report }: ImportStep,
  { publicId: sourceId, name, items }: SourceChecklist,
  cardPublicId: string,
  reason: string,
) {
  report.skip({ kind: "checklist", sourceId, name, cardPublicId, reason });
  const skipped = { kind: "checklistItem", reason: "The checklist was not imported." };
  for (const item of items)
    report.skip({ ...skipped, sourceId: item.publicId, name: item.title, cardPublicId });
}

/** The checklists of cards, with their items. */
export const checklists: ImportedPart = {
  refs: (card) => [
    ...refsOf("checklist", card.checklists),
    ...card.checklists.flatMap(({ items }) => refsOf("checklistItem", items)),
  ],
  write: writeChecklists,
};
