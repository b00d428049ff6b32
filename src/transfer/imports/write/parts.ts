import { fullMessage, type Limits } from "../../../contract/limits.ts";
import { maxOptions } from "../../../contract/resources/custom-fields.ts";
import type { Permission } from "../../../contract/vocabulary/permissions.ts";
import { insertRows } from "../../../platform/db/insert-rows.ts";
import type { Query } from "../../../platform/db/query.ts";
import type * as rows from "../../../platform/db/rows.ts";
import { sql } from "../../../platform/db/sql.ts";
import { tables, type LookUp } from "./identity.ts";
import { repeated } from "./limits.ts";
import { fullField } from "./source-custom-fields.ts";
import {
  goneSince,
  newRow,
  notHeld,
  textBytes,
  type ImportStep,
  type SourceResource,
} from "./step.ts";

/** The parent of each kind of part, and the limit of their number. */
const kinds = {
  list: { parent: "board", hasPosition: true, limit: "lists" },
  label: { parent: "board", hasPosition: false, limit: "labels" },
  field: { parent: "board", hasPosition: true, limit: "fields" },
  fieldOption: { parent: "field", hasPosition: true, limit: "options" },
  checklist: { parent: "card", hasPosition: true, limit: "checklists" },
  checklistItem: { parent: "checklist", hasPosition: true, limit: "checklist_items" },
  comment: { parent: "card", hasPosition: false, limit: null },
  attachment: { parent: "card", hasPosition: false, limit: "attachments" },
} as const satisfies Record<string, { parent: string; hasPosition: boolean; limit: Limit | null }>;
/** A limit: those of the service, and the options of a field. */
type Limit = keyof Limits | "options";
type PartKind = keyof typeof kinds;
type Rows = {
  list: rows.List;
  label: rows.Label;
  field: rows.CustomField;
  fieldOption: rows.CustomFieldOption;
  checklist: rows.Checklist;
  checklistItem: rows.ChecklistItem;
  comment: rows.Comment;
  attachment: rows.Attachment;
};
type Row<Kind extends PartKind> = Omit<Rows[Kind], "id">;
/** A parent; `eventRefs` name its card. */
type Parent = {
  id: bigint;
  boardId: bigint;
  isNew: boolean;
  eventRefs?: { card: { publicId: string } };
};

/** How the parts of one kind become rows of their parents. */
type Spec<Kind extends PartKind, Of extends Parent, Item extends SourceResource> = {
  kind: Kind;
  parents: (readonly [Of, Item[]])[];
  /** The permission that the starter of the import needs and does not hold; else null. */
  lacks: (parent: Of) => Permission | null;
  /** The name of a part in the report. */
  nameOf: (item: Item, parent: Of) => string;
  rowOf: (base: ReturnType<typeof newRow>, item: Item, parent: Of, position: number) => Row<Kind>;
  /** Reports a part that is skipped, with everything on it. */
  skip?: (item: Item, parent: Of, reason: string) => void;
};

/** Writes the parts that were not imported before, after the others, up to the parents' limits. */
export async function writeParts<
  Kind extends PartKind,
  Of extends Parent,
  Item extends SourceResource,
>(step: ImportStep, lookUp: LookUp, spec: Spec<Kind, Of, Item>) {
  const { kind, parents, lacks, nameOf, rowOf } = spec;
  const { tx, report, identity } = step;
  const skip = (item: Item, parent: Of, reason: string) => {
    const { publicId: sourceId } = item;
    const cardPublicId = parent.eventRefs?.card.publicId;
    if (spec.skip !== undefined) spec.skip(item, parent, reason);
    else report.skip({ kind, sourceId, name: nameOf(item, parent), reason, cardPublicId });
  };
  const earlier = parents.flatMap(([{ id, isNew }]) => (isNew ? [] : [id]));
  const lastOf = await lastParts(tx.query, kind, earlier);
  const planned = distinct(parents, skip).flatMap(([parent, items]) => {
    const { position, count, archived } = lastOf.get(parent.id) ?? nothing;
    const lacked = lacks(parent);
    const fresh = items.filter((item) => {
      const before = lookUp(kind, item.publicId);
      if (before?.isLive === true) report.add(kind, before.mine ? "created" : "alreadyThere");
      else if (before !== undefined) skip(item, parent, goneSince);
      else if (lacked !== null) skip(item, parent, notHeld(lacked));
      return before === undefined && lacked === null;
    });
    const counts = new Map([["archived_lists", archived]]);
    const fitting = fresh.filter((item) => {
      const limit = limitOf(kind, item);
      if (limit === null) return true;
      const next = (counts.get(limit) ?? count) + 1;
      counts.set(limit, next);
      const max = limit === "options" ? maxOptions : tx.limits[limit];
      const message = limit === "options" ? fullField : fullMessage(tx.limits, limit);
      if (next > max) skip(item, parent, message);
      return next <= max;
    });
    return fitting.map((item, nth) => {
      return { parent, item, row: rowOf(newRow(step, item), item, parent, position + nth + 1) };
    });
  });
  await tx.copied.add(planned.map(({ row }) => ({ bytes: textBytes(row) })));
  const inserted = await insertRows<{ id: bigint; publicId: string }>(
    tx.query,
    tables[kind],
    planned.map(({ row }) => row),
    sql`RETURNING id, "publicId"`,
  );
  const ids = new Map(inserted.map(({ id, publicId }) => [publicId, id]));
  const writtenParts = planned.map((part) => {
    const id = ids.get(part.row.publicId) ?? 0n;
    return { ...part, row: { ...part.row, id } };
  });
  report.add(kind, "created", writtenParts.length);
  // A card that was imported before may be on another board by now.
  const records = writtenParts.map(({ item: { publicId: sourceId }, parent: { boardId }, row }) => {
    return { kind, sourceId, targetId: row.id, boardId };
  });
  await identity.record(tx, records);
  return writtenParts;
}

/** The items of parents, each once; the others are skipped. */
function distinct<Of extends Parent, Item extends SourceResource>(
  parents: (readonly [Of, Item[]])[],
  skip: (item: Item, parent: Of, reason: string) => void,
) {
  const ids = new Set<string>();
  return parents.map(([parent, items]) => {
    const isNew = (item: Item) => {
      const { size } = ids;
      const isRepeated = ids.add(item.publicId).size === size;
      if (isRepeated) skip(item, parent, repeated);
      return !isRepeated;
    };
    return [parent, items.filter(isNew)] as const;
  });
}

const nothing = { position: 0, count: 0, archived: 0 };

/** The limit that counts a part: archived lists have one of their own. */
const limitOf = (kind: PartKind, item: SourceResource): Limit | null =>
  kind === "list" && "archivedAt" in item && item.archivedAt !== null
    ? "archived_lists"
    : kinds[kind].limit;

/** The number of the parts of each parent that its limit counts, and the last position. */
async function lastParts(query: Query, kind: PartKind, parentIds: bigint[]) {
  const { parent: parentKind, hasPosition, limit } = kinds[kind];
  if (limit === null || parentIds.length === 0) return new Map<bigint, never>();
  const parent = sql.identifier(`${parentKind}Id`);
  const position = hasPosition ? sql`floor(max(position))::float8` : sql`0`;
  const isArchived = kind === "list" ? sql`"archivedAt" IS NOT NULL` : sql`false`;
  type Last = { parent: bigint; position: number; count: number; archived: number };
  const rows = await query<Last>(sql`
    SELECT ${parent} AS parent, ${position} AS position,
      (count(*) FILTER (WHERE NOT ${isArchived}))::int AS count,
      (count(*) FILTER (WHERE ${isArchived}))::int AS archived
    FROM ${sql.identifier(tables[kind])}
    WHERE ${parent} = ANY(${parentIds}::bigint[]) AND "deletedAt" IS NULL GROUP BY 1`);
  return new Map(rows.map(({ parent: id, ...last }) => [id, last]));
}
