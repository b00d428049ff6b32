import { generateNKeysBetween } from "fractional-indexing";
import type { ChecklistItem } from "../../../contract/resources/checklists.ts";
import { viewChecklist } from "../../../domain/views/checklists.ts";
import { lastOf } from "../bulk/positions.ts";
import { insertRows } from "../bulk/rows.ts";
import { remember } from "../bulk/imported.ts";
import type { SourceChecklist } from "../model.ts";
import { writeItems, type Listed } from "./items.ts";
import { goneSince, newRow, type Making, type Target } from "./step.ts";
import type { Cards, LookUp, Onto } from "./imported-card.ts";
import { sql } from "../../../platform/db/sql.ts";

type Fresh = { on: Onto; checklist: SourceChecklist; position: string };

/** Hangs checklists with their items on cards: those that are not there yet, after those that are. */
export async function writeChecklists(
  making: Making,
  target: Target,
  onto: Cards,
  known: LookUp,
): Promise<void> {
  const { run, tx, made } = making;
  const there = await findThere(making, onto, known);
  const fresh = await findRoom(making, onto, known);
  const rows = await insertRows(
    tx.query,
    "checklists",
    fresh.map(({ on, checklist: { name }, position }) => {
      return { ...newRow(making), cardId: on.id, name, position };
    }),
  );
  made.add("checklist", "created", rows.length);
  const things = rows.map(({ id }, place) => {
    const sourceId = fresh[place]?.checklist.sourceId ?? "";
    return { kind: "checklist" as const, sourceId, targetId: id };
  });
  await remember(tx, run.row, target.board.id, things);
  const listed = fresh.flatMap(({ on, checklist }, place): Listed[] => {
    const row = rows[place];
    if (row === undefined) return [];
    const items: (typeof ChecklistItem)["_output"][] = [];
    const shown = { ...viewChecklist(row), items };
    on.tell.push(() => tx.emit("checklist.created", { checklist: shown, ...on.around }));
    return [{ on, checklist, row, told: items }];
  });
  await writeItems(making, target, [...listed, ...there], known);
}

const live = (ids: bigint[]) =>
  sql`SELECT id, "publicId", name, version FROM checklists WHERE id = ANY(${ids}::bigint[]) AND "deletedAt" IS NULL`;

/** The checklists that came over before and are still there. */
async function findThere({ tx, made }: Making, onto: Cards, known: LookUp): Promise<Listed[]> {
  const before = [...onto].flatMap(([card, on]) =>
    card.checklists.flatMap((checklist) => {
      const it = known({ kind: "checklist", sourceId: checklist.sourceId });
      return it === undefined ? [] : [{ on, checklist, ...it }];
    }),
  );
  if (before.length === 0) return [];
  const ids = before.map(({ targetId }) => targetId);
  const rows = await tx.query<Listed["row"]>(live(ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return before.flatMap(({ on, checklist, targetId, mine }): Listed[] => {
    const row = byId.get(targetId);
    made.add("checklist", mine ? "created" : "alreadyThere", row === undefined ? 0 : 1);
    if (row !== undefined) return [{ on, checklist, row }];
    leaveOut({ made }, checklist, goneSince);
    return [];
  });
}

/** The new checklists for which their cards have room, and where they go. */
async function findRoom({ tx, made }: Making, onto: Cards, known: LookUp): Promise<Fresh[]> {
  const full = `A card has at most ${tx.limits.checklists} checklists.`;
  const old = [...onto.values()].flatMap(({ isNew, id }) => (isNew ? [] : [id]));
  const last = old.length === 0 ? undefined : await lastOf(tx.query, "checklists", old);
  return [...onto].flatMap(([card, on]) => {
    const { position, count } = last?.get(on.id) ?? { position: null, count: 0 };
    const isNew = ({ sourceId }: SourceChecklist) =>
      known({ kind: "checklist", sourceId }) === undefined;
    const fresh = card.checklists.filter(isNew);
    const rest = fresh.splice(Math.max(0, tx.limits.checklists - count));
    for (const checklist of rest) leaveOut({ made }, checklist, full);
    const keys = generateNKeysBetween(position, null, fresh.length);
    return fresh.map((checklist, place) => ({ on, checklist, position: keys[place] ?? "" }));
  });
}

function leaveOut({ made }: Pick<Making, "made">, checklist: SourceChecklist, reason: string) {
  const { sourceId, name, items } = checklist;
  made.lose({ kind: "checklist", sourceId, name, reason });
  for (const item of items) {
    made.lose({
      kind: "checklistItem",
      sourceId: item.sourceId,
      name: item.title,
      reason: "Its checklist did not come over.",
    });
  }
}
