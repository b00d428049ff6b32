import { generateNKeysBetween } from "fractional-indexing";
import type { Board as BoardRow } from "../../../platform/db/rows.ts";
import { viewList } from "../../../domain/views/lists.ts";
import { insertRows } from "../bulk/rows.ts";
import { knownThings, remember } from "../bulk/imported.ts";
import type { SourceList } from "../model.ts";
import { goneSince, momentOr, newRow, type Making, type Target } from "./step.ts";

/** Makes the lists of a board that are not there yet, after those that are. */
export async function listsOf(
  making: Making,
  board: BoardRow,
  lists: SourceList[],
): Promise<Target["lists"]> {
  const { run, tx, made } = making;
  const asked = lists.map(({ sourceId }) => ({ kind: "list", sourceId }) as const);
  const known = await knownThings(tx.query, run.row, asked);
  const there = await tx.prisma.list.findMany({
    where: { boardId: board.id, deletedAt: null },
    orderBy: { position: "asc" },
  });
  const byId = new Map(there.map((row) => [row.id, row]));
  const target: Target["lists"] = new Map();
  const fresh: SourceList[] = [];
  for (const list of lists) {
    const { sourceId, name } = list;
    const before = known({ kind: "list", sourceId });
    if (before === undefined) fresh.push(list);
    else {
      const row = byId.get(before.targetId);
      if (row !== undefined) target.set(sourceId, row);
      if (row !== undefined) made.add("list", before.mine ? "created" : "alreadyThere");
      else made.lose({ kind: "list", sourceId, name, reason: goneSince });
    }
  }
  const room = tx.limits.lists - there.length;
  for (const { sourceId, name } of fresh.splice(Math.max(0, room))) {
    made.lose({
      kind: "list",
      sourceId,
      name,
      reason: `A board has at most ${tx.limits.lists} lists.`,
    });
  }
  const keys = generateNKeysBetween(there.at(-1)?.position ?? null, null, fresh.length);
  const rows = await insertRows(
    tx.query,
    "lists",
    fresh.map((list, place) => ({
      ...newRow(making),
      boardId: board.id,
      name: list.name,
      position: keys[place] ?? "",
      wipLimit: null,
      archivedAt: list.isArchived ? tx.now : null,
      createdAt: momentOr(list.createdAt, tx.now),
    })),
  );
  const things = rows.map((row, place) => {
    const sourceId = fresh[place]?.sourceId ?? "";
    target.set(sourceId, row);
    tx.emit("list.created", { list: viewList(row), board });
    return { kind: "list" as const, sourceId, targetId: row.id };
  });
  made.add("list", "created", rows.length);
  await remember(tx, run.row, board.id, things);
  return target;
}
