import { z } from "zod";
import type { Import } from "../../contract/resources/imports.ts";
import { ImportSource } from "../../contract/resources/imports.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";
import type { Import as ImportRow } from "../../platform/db/rows.ts";

/** What became of the resources of an import. */
export const outcomes = ["created", "alreadyThere", "leftOut"] as const;

/** How many resources of each kind were created, existed already and were skipped, as stored. */
export const ImportCounts = z.record(z.string(), z.record(z.enum(outcomes), z.int()));

const kinds = `board list label card checklist checklistItem comment attachment`.split(" ");

/** The index of a kind among the counts: resources of this service come first. */
const indexOf = (kind: string) => (kinds.includes(kind) ? kinds.indexOf(kind) : kinds.length);

/** Shows an import's row. */
export const showImport = (
  row: ImportRow,
  workspace: { publicId: string },
): z.infer<typeof Import> => ({
  publicId: row.publicId,
  workspacePublicId: workspace.publicId,
  source: ImportSource.parse(row.source),
  status: row.status,
  progress: { phase: row.phase, done: row.done, total: row.total },
  counts: Object.entries(ImportCounts.parse(row.counts))
    .toSorted(([one], [other]) => indexOf(one) - indexOf(other) || (one < other ? -1 : 1))
    .map(([kind, count]) => ({
      kind,
      found: count.created + count.alreadyThere + count.leftOut,
      ...count,
    })),
  error: row.error,
  version: row.version,
  createdAt: iso(row.createdAt),
  startedAt: isoOrNull(row.startedAt),
  finishedAt: isoOrNull(row.finishedAt),
});
