import { z } from "zod";
import type { SourceName } from "../vocabulary/import-sources.ts";
import { Timestamp, pageOf } from "../vocabulary/fields.ts";
import { BoardRef } from "./boards.ts";

export const names = z.enum(["trello", "trelloFile", "github", "workspace"] satisfies SourceName[]);

/** What became of the things of one kind: `found` in the source = `created` + `alreadyThere` + `leftOut`. */
const KindCount = z
  .object({
    kind: z.string(),
    found: z.int(),
    created: z.int(),
    alreadyThere: z.int(),
    leftOut: z.int(),
  })
  .meta({ id: "ImportCount" });

/** An import, and how far it is. `total` is null while nobody knows yet; `error` says why it failed. */
export const Import = z
  .object({
    publicId: z.string(),
    workspacePublicId: z.string(),
    source: names,
    status: z.enum(["queued", "running", "completed", "failed", "cancelled"]),
    progress: z
      .object({ phase: z.string().nullable(), done: z.int(), total: z.int().nullable() })
      .meta({ id: "ImportProgress" }),
    counts: z.array(KindCount),
    error: z.string().nullable(),
    version: z.int(),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "Import" });

/** Something that did not come over whole, and why; `count` is how many it stands for where they are not named one by one. */
export const ImportLoss = z
  .object({
    kind: z.string(),
    sourceId: z.string().nullable(),
    name: z.string().nullable(),
    reason: z.string(),
    isPartlyThere: z.boolean(),
    count: z.int(),
  })
  .meta({ id: "ImportLoss" });

/** An import with the boards that it has made, and a page of what did not come over whole. */
export const ImportReport = Import.extend({
  boards: z.array(BoardRef),
  report: pageOf(ImportLoss),
}).meta({ id: "ImportReport" });
