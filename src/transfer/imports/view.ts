import type { Import as ImportRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { Import } from "../../contract/resources/imports.ts";
import { ImportSource } from "../../contract/resources/imports.ts";
import { Counts } from "./report.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/fields.ts";

const kinds = [
  "board",
  "list",
  "label",
  "card",
  "checklist",
  "checklistItem",
  "comment",
  "attachment",
];
/** Where a kind stands among the counts: what there is here first, then what only the source has. */
const place = (kind: string) => kinds.indexOf(kind) + (kinds.includes(kind) ? 0 : kinds.length + 1);

/** Shows an import's row. */
export const viewImport = (
  row: ImportRow,
  workspace: { publicId: string },
): z.infer<typeof Import> => ({
  publicId: row.publicId,
  workspacePublicId: workspace.publicId,
  source: ImportSource.parse(row.source),
  status: row.status,
  progress: { phase: row.phase, done: row.done, total: row.total },
  counts: Object.entries(Counts.parse(row.counts))
    .toSorted(([one], [other]) => place(one) - place(other) || (one < other ? -1 : 1))
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
