import { z } from "zod";
import { sourceNames } from "../vocabulary/import-sources.ts";
import { Timestamp, pageOf } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import { BoardRef } from "./boards.ts";
import { CardName } from "./cards.ts";
import { MemberRef } from "./members.ts";

/** The source of an import. */
export const ImportSource = z.enum(sourceNames);

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

/** What an issue means: losses come first. */
const Severity = z.enum(["loss", "partial", "info"]).meta({
  description: "`loss`: skipped. `partial`: imported in part. `info`: nothing was lost.",
});

const IssueCard = viewedWith(
  "card:view",
  CardName.extend({ url: z.url() }).meta({ id: "ImportLossCard" }),
);

/** The resource of an issue. */
const IssueItem = z.object({
  sourceId: z.string().nullable(),
  name: z.string().nullable(),
  detail: z
    .string()
    .nullable()
    .meta({ description: "Details of this item, such as the value of a field." }),
  card: IssueCard.nullable().meta({ description: "The imported card that the item is on." }),
});

/** A source item that was not imported in full. `count` is how many items it represents. */
export const ImportLoss = IssueItem.extend({
  kind: z.string(),
  cardPublicId: viewedWith("card:view", z.string())
    .nullable()
    .meta({ description: "The card that the item is on, where it was imported." }),
  reason: z.string(),
  severity: Severity,
  isPartlyThere: z.boolean(),
  count: z.int(),
}).meta({ id: "ImportLoss" });

/** The issues of one kind and reason: how many items they are, and some of them. */
export const ImportLossGroup = z
  .object({
    kind: z.string(),
    reason: z.string(),
    severity: Severity,
    count: z.int(),
    examples: z.array(IssueItem.meta({ id: "ImportLossExample" })).meta({
      description: "The first five items. Empty for `info`.",
    }),
  })
  .meta({ id: "ImportLossGroup" });

/** A person of a source. `member` is the member that a holder of member:edit mapped them to. */
export const ImportedPerson = z
  .object({
    sourceId: z.string(),
    name: z.string(),
    comments: z.int().meta({ description: "How many imported comments the person wrote." }),
    cards: z.int().meta({ description: "How many imported cards the person was assigned to." }),
    checklistItems: z
      .int()
      .meta({ description: "How many imported checklist items were assigned to the person." }),
    member: MemberRef.nullable(),
  })
  .meta({ id: "ImportedPerson" });

/** An import with the boards that it created and a page of its issues. */
export const ImportReport = Import.extend({
  boards: z.array(BoardRef),
  report: pageOf(ImportLoss),
}).meta({ id: "ImportReport" });
