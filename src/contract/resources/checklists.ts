import { z } from "zod";
import { ChecklistName, DueDate, ItemTitle, Version } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

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

const index = z.int().meta({ description: "Zero-based position.", examples: [0] });

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
