import type { Query } from "../../../platform/db/query.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";

/** The kinds of resources that an import finds again by their source ids. */
export type Kind =
  | "board"
  | "list"
  | "label"
  | "card"
  | "checklist"
  | "checklistItem"
  | "comment"
  | "attachment";

/** A resource of the source. */
export type SourceRef = { kind: Kind; sourceId: string };

/** The row of a resource that was imported before; `mine` when this import created it. */
export type Known = { targetId: bigint; mine: boolean };

/** Returns the row of a resource that was imported before. */
export type LookUp = (kind: Kind, sourceId: string) => Known | undefined;

/** How ids of a source become ours. */
export type Identity = {
  /** The public id of a new row. */
  publicId: (sourceId: string) => string;
  /** Finds what was imported before. */
  find: (query: Query, refs: SourceRef[]) => Promise<LookUp>;
  /** Records new rows, in the transaction that writes them. */
  record: (
    tx: Pick<UnitOfWork, "query" | "now">,
    boardId: bigint | null,
    rows: (SourceRef & { targetId: bigint })[],
  ) => Promise<void>;
};

/** Indexes rows that were found. */
export function lookUpIn(rows: (SourceRef & Known)[]): LookUp {
  const keyOf = (kind: Kind, sourceId: string) => `${kind} ${sourceId}`;
  const known = new Map(rows.map((row) => [keyOf(row.kind, row.sourceId), row]));
  return (kind, sourceId) => known.get(keyOf(kind, sourceId));
}
