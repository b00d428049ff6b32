import { publicId } from "../../../platform/db/public-id.ts";
import type { UnitOfWork } from "../../../kernel/events/unit-of-work.ts";
import type { ImportEvent } from "../../../contract/import-events.ts";
import type { SourceCard } from "../model.ts";
import type { Home, ImportRun } from "../context.ts";
import type { Tally } from "../report.ts";

/** One step of an import, at work. */
export type Making = { run: ImportRun; tx: UnitOfWork<ImportEvent>; made: Tally; home: Home };

/** A board that cards are coming onto. */
export type Target = {
  board: { id: bigint; publicId: string; name: string };
  /** By their ids at the source; those that had no room, or are gone here, are not among them. */
  lists: Map<string, { id: bigint; publicId: string; name: string }>;
  labels: Map<string, bigint>;
};

/** What is said of a thing that an earlier import brought and somebody has deleted. */
export const goneSince = "It came over before, and has been deleted here or moved away since.";

/** A moment of the source, or another where it has none. */
export const momentOr = (moment: string | null, otherwise: Date) =>
  moment === null ? otherwise : new Date(moment);

/** The same for one that may not be there. */
export const momentOrNull = (moment: string | null) => (moment === null ? null : new Date(moment));

/** Counts the labels and members of a card that is here; a label for which its board had no room is left out. */
export function countMarks(
  made: Tally,
  { labels }: Target,
  { sourceId, title, labelIds, people }: SourceCard,
  outcome: "created" | "alreadyThere",
): void {
  made.add("cardMember", outcome, people.length);
  for (const id of labelIds) {
    if (labels.has(id)) made.add("cardLabel", outcome);
    else made.lose({ kind: "cardLabel", sourceId, name: title, reason: "Its label is not here." });
  }
}

/** What every new row has. */
export const newRow = ({ run, tx, home }: Making) => ({
  publicId: publicId(),
  workspaceId: home.id,
  createdById: run.row.createdById,
  version: 1,
  createdAt: tx.now,
  updatedAt: tx.now,
  deletedAt: null,
});
