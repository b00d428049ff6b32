import type { EventData } from "../../../contract/events.ts";
import type { ImportEvent } from "../../../contract/import-events.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import type { ImportContext, Target } from "../job/context.ts";
import type { ImportReport } from "../job/report.ts";
import type { Identity, Kind, LookUp } from "./identity.ts";
import type { SourceItem, SourceMoment } from "./model.ts";
import { insertRows, type NewRow, type Rows } from "./rows.ts";

/** What writes the resources of a source. */
export type Writer = {
  context: ImportContext;
  identity: Identity;
  /** The history of cards comes from the source: events announce only boards and cards. */
  hasHistory: boolean;
  /** The board that cards are written to; null when they are of several boards. */
  board: { id: bigint; name: string } | null;
};

/** A writer in one transaction. */
export type ImportStep = Writer & {
  tx: UnitOfWork<ImportEvent>;
  report: ImportReport;
  target: Target;
};

/** Runs one transaction of an import. */
export const importStep = <Result>(
  writer: Writer,
  run: (step: ImportStep) => Promise<Result>,
): Promise<Result> =>
  writer.context.step((tx, report, target) => run({ ...writer, tx, report, target }));

/** The reason for resources that an earlier import created and that are no longer here. */
export const goneSince = "It was imported before, and was deleted or moved since.";

/** A moment of the source, or null. */
export function momentOf(moment: SourceMoment | null | undefined, now: Date): Date | null {
  if (moment === null || moment === undefined) return null;
  return moment === "now" ? now : new Date(moment);
}

/** The fields that every new row has. */
export const newRow = ({ context, identity, tx, target }: ImportStep, item: SourceItem) => ({
  publicId: identity.publicId(item.sourceId),
  workspaceId: target.id,
  createdById: context.row.createdById,
  version: 1,
  createdAt: momentOf(item.createdAt, tx.now) ?? tx.now,
  updatedAt: momentOf(item.updatedAt, tx.now) ?? tx.now,
  deletedAt: null,
});

/** The resources that were not imported before; the others are counted. */
export function withoutKnown<Item extends SourceItem>(
  { report }: ImportStep,
  known: LookUp,
  kind: Kind,
  items: Item[],
): Item[] {
  return items.filter(({ sourceId }) => {
    const before = known(kind, sourceId);
    if (before !== undefined) report.add(kind, before.mine ? "created" : "alreadyThere");
    return before === undefined;
  });
}

type Fresh<Table extends keyof Rows> = { sourceId: string; row: NewRow<Table> };

/** Inserts, counts and records new resources. Returns them with their ids. */
export async function insertNew<Table extends keyof Rows, Item extends Fresh<Table>>(
  { tx, report, identity, board }: ImportStep,
  kind: Kind,
  table: Table,
  items: Item[],
): Promise<(Item & { row: NewRow<Table> & { id: bigint } })[]> {
  const rows = items.map(({ row }): NewRow<Table> => row);
  const ids = await insertRows(tx.query, table, rows);
  const inserted = items.map((item) => {
    const id = ids.get(item.row.publicId) ?? 0n;
    return { ...item, row: { ...item.row, id } };
  });
  report.add(kind, "created", inserted.length);
  const records = inserted.map(({ sourceId, row }) => ({ kind, sourceId, targetId: row.id }));
  await identity.record(tx, board?.id ?? null, records);
  return inserted;
}

/** Emits an event. A source with a history announces boards and cards only, outside the history. */
export function announce<Type extends ImportEvent>(
  { tx, hasHistory }: ImportStep,
  type: Type,
  data: EventData<Type>,
): void {
  if (!hasHistory) tx.emit(type, data);
  else if (type === "board.created" || type === "card.created")
    tx.emit(type, data, undefined, false);
}
