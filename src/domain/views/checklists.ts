import type {
  ChecklistItem as ItemRow,
  Checklist as ChecklistRow,
} from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { ChecklistItem, ChecklistInfo } from "../../contract/resources/checklists.ts";
import { isoOrNull } from "../../contract/vocabulary/fields.ts";

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
