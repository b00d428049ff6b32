import { z } from "zod";
import { idOf } from "../vocabulary/ids.ts";
import { BoardName, CreatedAt, FailureReason, ItemKind, Version } from "../fields/shared.ts";
import { sourceNames } from "../vocabulary/import-sources.ts";
import { Timestamp, pageOf } from "../vocabulary/texts.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import { BoardRef } from "./boards.ts";
import { CardName } from "./cards.ts";
import { MemberRef } from "./members.ts";

/** The source of an import. */
export const ImportSource = z
  .enum(sourceNames)
  .meta({ id: "ImportSource", description: "The source of an import." });

/** The counts of one kind: `found` = `created` + `alreadyThere` + `leftOut`. */
const KindCount = z
  .object({
    kind: ItemKind,
    found: z.int().meta({ description: "How many the source has.", examples: [251] }),
    created: z.int().meta({ description: "How many this import created.", examples: [250] }),
    alreadyThere: z
      .int()
      .meta({ description: "How many an earlier import created.", examples: [0] }),
    leftOut: z
      .int()
      .meta({ description: "How many were skipped. The report has the reasons.", examples: [1] }),
  })
  .meta({
    id: "ImportCount",
    description: "The counts of one kind: `found` = `created` + `alreadyThere` + `leftOut`.",
  });

/**
 * An import with its progress. `total` is null while unknown. `error` is the reason of a failure.
 */
export const Import = z
  .object({
    publicId: idOf("import"),
    workspacePublicId: idOf("workspace"),
    source: ImportSource,
    status: z.enum(["queued", "running", "completed", "failed", "cancelled"]).meta({
      id: "ImportStatus",
      description: "The state of an import.",
      examples: ["completed"],
    }),
    progress: z
      .object({
        phase: z
          .string()
          .nullable()
          .meta({
            description: "The current phase. Null until the first one starts.",
            examples: ["writing"],
          }),
        done: z
          .int()
          .meta({ description: "How many items of the phase are done.", examples: [250] }),
        total: z
          .int()
          .nullable()
          .meta({
            description: "How many items the phase has. Null if not known yet.",
            examples: [250],
          }),
      })
      .meta({ id: "ImportProgress", description: "How much of the current phase is done." }),
    counts: z
      .array(KindCount)
      .meta({ description: "How many items of each kind were found, created or left out." }),
    error: FailureReason,
    version: Version,
    createdAt: CreatedAt,
    startedAt: Timestamp.nullable().meta({
      description: "When it started, in UTC. Null until then.",
      examples: ["2026-01-31T10:00:00.000Z"],
    }),
    finishedAt: Timestamp.nullable().meta({
      description: "When it ended, in UTC. Null until then.",
      examples: ["2026-01-31T10:00:20.000Z"],
    }),
  })
  .meta({ id: "Import", description: "An import with its progress." });

/** What an issue means: losses come first. */
const Severity = z.enum(["loss", "partial", "info"]).meta({
  id: "ImportSeverity",
  description: "`loss`: skipped. `partial`: imported in part. `info`: nothing was lost.",
});

const IssueCard = viewedWith(
  "card:view",
  CardName.extend({
    url: z.url().meta({
      description: "The URL.",
      examples: ["https://boards.example.com/api/v1/cards/p5d2h8s4t6b1"],
    }),
  }).meta({
    id: "ImportLossCard",
    description: "The imported card that an item is on, with its address.",
  }),
);

/** The resource of an issue. */
const IssueItem = z.object({
  sourceId: z
    .string()
    .nullable()
    .meta({ description: "The id at the source.", examples: ["5abbe4b7ddc1b351ef961415"] }),
  name: z
    .string()
    .nullable()
    .meta({
      description: "The name at the source. Null if it has none.",
      examples: ["Write the announcement"],
    }),
  detail: z
    .string()
    .nullable()
    .meta({ examples: [null], description: "Details of this item, such as the value of a field." }),
  card: IssueCard.nullable().meta({ description: "The imported card that the item is on." }),
});

/** A source item that was not imported in full. `count` is how many items it represents. */
const ImportLoss = IssueItem.extend({
  kind: ItemKind,
  cardPublicId: viewedWith("card:view", z.string())
    .nullable()
    .meta({
      examples: ["q8w2e5r7t1y4"],
      description: "The card that the item is on, where it was imported.",
    }),
  reason: z.string().meta({
    description: "Why it was not imported completely.",
    examples: ["Its list is not in the export."],
  }),
  severity: Severity,
  isPartlyThere: z.boolean().meta({ description: "Whether part of the item was imported." }),
  count: z
    .int()
    .meta({ description: "How many items of the source this entry stands for.", examples: [1] }),
}).meta({
  id: "ImportLoss",
  description: "An item of the source that was not imported completely.",
});

/** The issues of one kind and reason: how many items they are, and some of them. */
export const ImportLossGroup = z
  .object({
    kind: ItemKind,
    reason: z.string().meta({
      description: "Why the items were not imported completely.",
      examples: ["Locations are not supported."],
    }),
    severity: Severity,
    count: z.int().meta({ description: "How many items the group has.", examples: [1] }),
    examples: z
      .array(
        IssueItem.meta({
          id: "ImportLossExample",
          description: "An item of a group of the report.",
        }),
      )
      .meta({
        description: "The first five items. Empty for `info`.",
      }),
  })
  .meta({
    id: "ImportLossGroup",
    description: "The items of one kind and reason in the report of an import.",
  });

/** A person of a source. `member` is the member that a holder of member:edit mapped them to. */
export const ImportedPerson = z
  .object({
    sourceId: z
      .string()
      .meta({ description: "The id at the source.", examples: ["5abbe4b7ddc1b351ef961416"] }),
    name: BoardName,
    comments: z
      .int()
      .meta({ examples: [12], description: "How many imported comments the person wrote." }),
    cards: z
      .int()
      .meta({ examples: [7], description: "How many imported cards the person was assigned to." }),
    checklistItems: z.int().meta({
      examples: [3],
      description: "How many imported checklist items were assigned to the person.",
    }),
    member: MemberRef.nullable().meta({ description: "The member." }),
  })
  .meta({
    id: "ImportedPerson",
    description: "A person of a source, and the member that they were mapped to.",
  });

/** An import with the boards that it created and a page of its issues. */
export const ImportReport = Import.extend({
  boards: z.array(BoardRef).meta({ description: "The boards that the import created." }),
  report: pageOf(ImportLoss).meta({
    description: "A page of the items that were not imported completely.",
  }),
}).meta({
  id: "ImportReport",
  description:
    "An import with its boards, and a page of the items that were not imported completely.",
});
