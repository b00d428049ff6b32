import { z } from "zod";
import type {
  Checklist as ChecklistRow,
  ChecklistItem as ItemRow,
} from "../../platform/db/rows.ts";
import { isoOrNull, Timestamp } from "../../contract/fields.ts";

/** One thing to tick off. */
export const ChecklistItem = z
  .object({
    publicId: z.string(),
    title: z.string(),
    completed: z.boolean(),
    memberPublicId: z.string().nullable(),
    dueDate: Timestamp.nullable(),
    version: z.int(),
  })
  .meta({ id: "ChecklistItem" });

/** A checklist without its items. */
export const ChecklistInfo = z
  .object({ publicId: z.string(), name: z.string(), version: z.int() })
  .meta({ id: "ChecklistInfo" });

/** A checklist with its items in order. */
export const Checklist = ChecklistInfo.extend({ items: z.array(ChecklistItem) }).meta({
  id: "Checklist",
});

/** What an item shows of its row; the assigned member comes along by public id. */
export type ItemView = Pick<
  ItemRow,
  "publicId" | "title" | "completedAt" | "dueDate" | "version"
> & { memberPublicId?: string | null };

/** Shows an item's row. */
export const viewItem = (item: ItemView): z.infer<typeof ChecklistItem> => ({
  publicId: item.publicId,
  title: item.title,
  completed: item.completedAt !== null,
  memberPublicId: item.memberPublicId ?? null,
  dueDate: isoOrNull(item.dueDate),
  version: item.version,
});

/** Shows a checklist's row. */
export const viewChecklist = (
  checklist: Pick<ChecklistRow, "publicId" | "name" | "version">,
): z.infer<typeof ChecklistInfo> => ({
  publicId: checklist.publicId,
  name: checklist.name,
  version: checklist.version,
});
