import { generateNKeysBetween } from "fractional-indexing";
import { viewLabel } from "../../../domain/views/labels.ts";
import { viewList } from "../../../domain/views/lists.ts";
import type { Board } from "../../../platform/db/rows.ts";
import type { Permission } from "../../../contract/vocabulary/permissions.ts";
import type { LookUp } from "./identity.ts";
import type { SourceBoard, SourceLabel, SourceList } from "./model.ts";
import { notHeld } from "./permissions.ts";
import { announce, goneSince, insertNew, momentOf, newRow, type ImportStep } from "./step.ts";

/** Writes the lists and labels that a board does not have yet. A new board may have any. */
export async function writeBoardParts(
  step: ImportStep,
  board: Board,
  source: SourceBoard,
  isNew: boolean,
): Promise<void> {
  const known = await step.identity.find(step.tx.query, [
    ...source.lists.map(({ sourceId }) => ({ kind: "list", sourceId }) as const),
    ...source.labels.map(({ sourceId }) => ({ kind: "label", sourceId }) as const),
  ]);
  await writeLists(step, board, source.lists, known, isNew);
  await writeLabels(step, board, source.labels, known, isNew);
}

async function writeLists(
  step: ImportStep,
  board: Board,
  lists: SourceList[],
  known: LookUp,
  isNew: boolean,
) {
  const { tx } = step;
  const existing = await tx.prisma.list.findMany({
    where: { boardId: board.id, deletedAt: null },
    orderBy: { position: "asc" },
  });
  const permission = isNew ? null : "list:create";
  const limits = { existing, max: tx.limits.lists, permission } as const;
  const fresh = missingParts(step, "list", lists, known, limits);
  const positions = generateNKeysBetween(existing.at(-1)?.position ?? null, null, fresh.length);
  const rows = fresh.map((list, index) => ({
    sourceId: list.sourceId,
    row: {
      ...newRow(step, list),
      boardId: board.id,
      name: list.name,
      position: positions[index] ?? "",
      wipLimit: list.wipLimit ?? null,
      archivedAt: momentOf(list.archivedAt, tx.now),
    },
  }));
  for (const { row } of await insertNew(step, "list", "lists", rows))
    announce(step, "list.created", { list: viewList(row), board });
}

async function writeLabels(
  step: ImportStep,
  board: Board,
  labels: SourceLabel[],
  known: LookUp,
  isNew: boolean,
) {
  const { tx } = step;
  const existing = await tx.prisma.label.findMany({
    where: { boardId: board.id, deletedAt: null },
  });
  const permission = isNew ? null : "card:edit";
  const limits = { existing, max: tx.limits.labels, permission } as const;
  const fresh = missingParts(step, "label", labels, known, limits);
  const rows = fresh.map((label) => {
    const { sourceId, name, colourCode } = label;
    return { sourceId, row: { ...newRow(step, label), boardId: board.id, name, colourCode } };
  });
  for (const { row } of await insertNew(step, "label", "labels", rows))
    announce(step, "label.created", { label: viewLabel(row), board });
}

type Limits = { existing: { id: bigint }[]; max: number; permission: Permission | null };

/** The parts that were not imported before, up to the limit of a board. */
function missingParts<Part extends SourceList | SourceLabel>(
  { report, target }: ImportStep,
  kind: "list" | "label",
  parts: Part[],
  known: LookUp,
  { existing, max, permission }: Limits,
): Part[] {
  const live = new Set(existing.map(({ id }) => id));
  let capacity = max - existing.length;
  return parts.filter(({ sourceId, name }) => {
    const before = known(kind, sourceId);
    if (before === undefined && permission !== null && !target.may.has(permission)) {
      report.skip({ kind, sourceId, name, reason: notHeld(permission) });
    } else if (before === undefined) {
      if (--capacity >= 0) return true;
      report.skip({ kind, sourceId, name, reason: `A board has at most ${max} ${kind}s.` });
    } else if (live.has(before.targetId)) {
      report.add(kind, before.mine ? "created" : "alreadyThere");
    } else report.skip({ kind, sourceId, name, reason: goneSince });
    return false;
  });
}
