import type { Board as BoardRow } from "../../../platform/db/rows.ts";
import { viewLabel } from "../../../domain/views/labels.ts";
import { insertRows } from "../bulk/rows.ts";
import { knownThings, remember } from "../bulk/imported.ts";
import type { SourceLabel } from "../model.ts";
import { goneSince, newRow, type Making, type Target } from "./step.ts";

/** Makes the labels of a board that are not there yet. */
export async function labelsOf(
  making: Making,
  board: BoardRow,
  labels: SourceLabel[],
): Promise<Target["labels"]> {
  const { run, tx, made } = making;
  const asked = labels.map(({ sourceId }) => ({ kind: "label", sourceId }) as const);
  const known = await knownThings(tx.query, run.row, asked);
  const there = await tx.prisma.label.findMany({ where: { boardId: board.id, deletedAt: null } });
  const live = new Set(there.map(({ id }) => id));
  const target: Target["labels"] = new Map();
  const fresh: SourceLabel[] = [];
  for (const label of labels) {
    const { sourceId, name } = label;
    const before = known({ kind: "label", sourceId });
    if (before === undefined) fresh.push(label);
    else if (live.has(before.targetId)) {
      target.set(sourceId, before.targetId);
      made.add("label", before.mine ? "created" : "alreadyThere");
    } else made.lose({ kind: "label", sourceId, name, reason: goneSince });
  }
  for (const { sourceId, name } of fresh.splice(Math.max(0, tx.limits.labels - there.length))) {
    made.lose({
      kind: "label",
      sourceId,
      name,
      reason: `A board has at most ${tx.limits.labels} labels.`,
    });
  }
  const rows = await insertRows(
    tx.query,
    "labels",
    fresh.map(({ name, colourCode }) => ({
      ...newRow(making),
      boardId: board.id,
      name,
      colourCode,
    })),
  );
  const things = rows.map((row, place) => {
    const sourceId = fresh[place]?.sourceId ?? "";
    target.set(sourceId, row.id);
    tx.emit("label.created", { label: viewLabel(row), board });
    return { kind: "label" as const, sourceId, targetId: row.id };
  });
  made.add("label", "created", rows.length);
  await remember(tx, run.row, board.id, things);
  return target;
}
