import { z } from "zod";
import { Timestamp, name, PublicId } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";
import type { Part } from "../fields/part.ts";

/** An item of a checklist. */
export const ChecklistItem = viewedWith(
  "card:view",
  z
    .object({
      publicId: z.string(),
      title: z.string(),
      isComplete: z.boolean().meta({ description: "Whether the item is completed." }),
      completed: z.boolean().meta({ description: "Use `isComplete`.", deprecated: true }),
      memberPublicId: z.string().nullable(),
      dueDate: Timestamp.nullable(),
      version: z.int(),
    })
    .meta({ id: "ChecklistItem" }),
);

/** A checklist without its items. */
export const ChecklistInfo = viewedWith(
  "card:view",
  z
    .object({ publicId: z.string(), name: z.string(), version: z.int() })
    .meta({ id: "ChecklistInfo" }),
);

/** A checklist with its items, in order. */
export const Checklist = viewedWith(
  "card:view",
  ChecklistInfo.extend({
    itemCount: z.int().meta({ description: "The number of items. `items` may show fewer." }),
    items: z.array(ChecklistItem),
  }).meta({ id: "Checklist" }),
);

const index = z.int().meta({ description: "Zero-based position." });

/** A checklist item with its index. */
export const ChecklistItemDetail = viewedWith(
  "card:view",
  ChecklistItem.extend({
    checklistPublicId: z.string(),
    cardPublicId: z.string(),
    index,
  }).meta({ id: "ChecklistItemDetail" }),
);

/** A checklist with its items and its index. */
export const ChecklistDetail = viewedWith(
  "card:view",
  Checklist.extend({ cardPublicId: z.string(), index }).meta({ id: "ChecklistDetail" }),
);

const maybe = Timestamp.nullable();
const dated = { createdAt: Timestamp, updatedAt: Timestamp };

const PublicChecklist = z.object({
  name: z.string(),
  items: z.array(
    z.object({
      title: z.string(),
      isComplete: ChecklistItem.shape.isComplete,
      completed: ChecklistItem.shape.completed,
      dueDate: maybe,
    }),
  ),
});

const ChecklistLine = Checklist.omit({ itemCount: true }).extend({ cardPublicId: z.string() });

const StoredItem = z.strictObject({
  publicId: PublicId,
  title: name(1, 500),
  completedAt: maybe,
  dueDate: maybe,
  memberPublicId: PublicId.nullable(),
  ...dated,
});

const StoredChecklist = z.strictObject({
  publicId: PublicId,
  name: name(1, 255),
  ...dated,
  items: z.array(StoredItem),
});

/** The checklists of a card, with their items. */
export const checklistsPart = {
  tables: {
    checklists: {
      counted: "checklists",
      kind: "checklist",
      limit: { most: 50, per: "card", counts: "checklists" },
    },
    checklist_items: {
      parent: { table: "checklists", column: "checklistId" },
      counted: "checklistItems",
      kind: "checklistItem",
      limit: { most: 500, per: "checklist", counts: "items" },
    },
  },
  summary: { checklistItems: z.object({ total: z.int(), completed: z.int() }) },
  detail: { checklists: z.array(Checklist) },
  public: { checklists: z.array(PublicChecklist) },
  stored: { checklists: z.array(StoredChecklist) },
  counted: ["checklists", "checklistItems"],
  lines: { checklist: viewedWith("card:view", ChecklistLine) },
  selected: "the checklists of cards with their items",
  copied: { by: "withChecklists", also: "copyChecklists", isDefault: true, onBoards: true },
} as const satisfies Part;
