import { z } from "zod";
import { ChecklistName, DueDate, IsDueAllDay, ItemTitle, Version } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Timestamp, PublicId, storedName } from "../vocabulary/texts.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { Part } from "../fields/part.ts";

/** An item of a checklist. */
export const ChecklistItem = viewedWith(
  "card:view",
  z
    .object({
      publicId: idOf("checklistItem"),
      title: ItemTitle,
      isComplete: z.boolean().meta({ description: "Whether the item is completed." }),
      completed: z.boolean().meta({ description: "Use `isComplete`.", deprecated: true }),
      memberPublicId: idOf(
        "member",
        "Public id of the assigned member. Null if no one is assigned.",
      ).nullable(),
      dueDate: DueDate,
      isDueAllDay: IsDueAllDay,
      version: Version,
    })
    .meta({ id: "ChecklistItem", description: "An item of a checklist." }),
);

/** A checklist without its items. */
export const ChecklistInfo = viewedWith(
  "card:view",
  z
    .object({ publicId: idOf("checklist"), name: ChecklistName, version: Version })
    .meta({ id: "ChecklistInfo", description: "A checklist without its items." }),
);

/** A checklist with its items, in order. */
export const Checklist = viewedWith(
  "card:view",
  ChecklistInfo.extend({
    itemCount: z
      .int()
      .meta({ examples: [2], description: "The number of items. `items` may show fewer." }),
    items: z.array(ChecklistItem).meta({ description: "The items, in order." }),
  }).meta({ id: "Checklist", description: "A checklist with its items, in order." }),
);

const index = viewedWith(
  "card:view",
  z.int().meta({
    description: "Zero-based position. 0 without `card:view`.",
    examples: [0],
  }),
);

/** A checklist item with its index. */
export const ChecklistItemDetail = viewedWith(
  "card:view",
  ChecklistItem.extend({
    checklistPublicId: idOf("checklist"),
    cardPublicId: idOf("card"),
    index,
  }).meta({ id: "ChecklistItemDetail", description: "An item of a checklist with its index." }),
);

/** A checklist with its items and its index. */
export const ChecklistDetail = viewedWith(
  "card:view",
  Checklist.extend({ cardPublicId: idOf("card"), index }).meta({
    id: "ChecklistDetail",
    description: "A checklist with its items and its index.",
  }),
);

const maybe = Timestamp.nullable();
const dated = { createdAt: Timestamp, updatedAt: Timestamp };

const PublicChecklist = z.object({
  name: ChecklistName,
  items: z
    .array(
      z.object({
        title: ItemTitle,
        isComplete: ChecklistItem.shape.isComplete,
        completed: ChecklistItem.shape.completed,
        dueDate: DueDate,
        isDueAllDay: IsDueAllDay,
      }),
    )
    .meta({ description: "The titles of the items, in order." }),
});

const ChecklistLine = Checklist.omit({ itemCount: true }).extend({ cardPublicId: z.string() });

const StoredItem = z.strictObject({
  publicId: PublicId,
  title: storedName(500),
  completedAt: maybe,
  dueDate: maybe,
  // Files of older versions have none.
  isDueAllDay: IsDueAllDay.default(false),
  memberPublicId: PublicId.nullable(),
  ...dated,
});

const StoredChecklist = z.strictObject({
  publicId: PublicId,
  name: storedName(255),
  ...dated,
  items: z.array(StoredItem),
});

/** The checklists of a card, with their items. */
export const checklistsPart = {
  tables: {
    checklists: {
      counted: "checklists",
      kind: "checklist",
      limit: { max: 50, per: "card", counts: "checklists" },
    },
    checklist_items: {
      parent: { table: "checklists", column: "checklistId" },
      counted: "checklistItems",
      kind: "checklistItem",
      limit: { max: 500, per: "checklist", counts: "items" },
    },
  },
  summary: {
    checklistItems: z
      .object({
        total: z.int().meta({ description: "The number of items.", examples: [2] }),
        completed: z.int().meta({ description: "The number of completed items.", examples: [1] }),
      })
      .meta({ description: "The number of items on all checklists of the card." }),
  },
  detail: {
    checklists: z
      .array(Checklist)
      .meta({ description: "The checklists with their items, in order." }),
  },
  public: {
    checklists: z
      .array(PublicChecklist)
      .meta({ description: "The checklists with their items, in order." }),
  },
  stored: { checklists: z.array(StoredChecklist) },
  counted: ["checklists", "checklistItems"],
  lines: { checklist: viewedWith("card:view", ChecklistLine) },
  selected: "the checklists of cards with their items",
  copied: {
    what: "the checklists",
    by: "withChecklists",
    also: "copyChecklists",
    isDefault: true,
    onBoards: true,
  },
} as const satisfies Part;
