import { z } from "zod";
import type { SourceName } from "../vocabulary/import-sources.ts";
import { Timestamp, pageOf } from "../vocabulary/fields.ts";
import { BoardRef } from "./boards.ts";
import { MemberRef } from "./members.ts";

/** The source of an import. */
export const ImportSource = z.enum([
  "trello",
  "trelloFile",
  "github",
  "workspace",
] satisfies SourceName[]);

/** The counts of one kind: `found` = `created` + `alreadyThere` + `leftOut`. */
const KindCount = z
  .object({
    kind: z.string(),
    found: z.int(),
    created: z.int(),
    alreadyThere: z.int(),
    leftOut: z.int(),
  })
  .meta({ id: "ImportCount" });

/**
 * An import with its progress. `total` is null while unknown. `error` is the reason of a failure.
 */
export const Import = z
  .object({
    publicId: z.string(),
    workspacePublicId: z.string(),
    source: ImportSource,
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

/** A source item that was not imported in full. `count` is how many items it represents. */
export const ImportLoss = z
  .object({
    kind: z.string(),
    sourceId: z.string().nullable(),
    cardPublicId: z
      .string()
      .nullable()
      .meta({ description: "The card that the item is on, where it was imported." }),
    name: z.string().nullable(),
    reason: z.string(),
    isPartlyThere: z.boolean(),
    count: z.int(),
  })
  .meta({ id: "ImportLoss" });

/** A person of a source. `member` is the member that a holder of member:edit mapped them to. */
export const ImportedPerson = z
  .object({
    sourceId: z.string(),
    name: z.string(),
    comments: z.int().meta({ description: "How many imported comments the person wrote." }),
    cards: z.int().meta({ description: "How many imported cards the person was assigned to." }),
    member: MemberRef.nullable(),
  })
  .meta({ id: "ImportedPerson" });

/** An import with the boards that it created and a page of its issues. */
export const ImportReport = Import.extend({
  boards: z.array(BoardRef),
  report: pageOf(ImportLoss),
}).meta({ id: "ImportReport" });
