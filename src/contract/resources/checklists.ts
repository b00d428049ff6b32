import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

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
