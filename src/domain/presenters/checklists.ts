import type {
  ChecklistItem as ItemRow,
  Checklist as ChecklistRow,
} from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { ChecklistItem, ChecklistInfo } from "../../contract/resources/checklists.ts";
import { isoOrNull } from "../../contract/vocabulary/texts.ts";

/** The columns that the view of a checklist item shows, and the public id of its member. */
export type ItemView = Pick<
  ItemRow,
  "publicId" | "title" | "completedAt" | "dueDate" | "isDueAllDay" | "version"
> & { memberPublicId?: string | null };

/** Shows a checklist item. */
export const showItem = (item: ItemView): z.infer<typeof ChecklistItem> => ({
  publicId: item.publicId,
  title: item.title,
  isComplete: item.completedAt !== null,
  completed: item.completedAt !== null,
  memberPublicId: item.memberPublicId ?? null,
  dueDate: isoOrNull(item.dueDate),
  isDueAllDay: item.isDueAllDay,
  version: item.version,
});

/** Shows a checklist item that was inserted with a title alone. */
export const showNewItem = ({ publicId, title }: Pick<ItemView, "publicId" | "title">) =>
  showItem({ publicId, title, completedAt: null, dueDate: null, isDueAllDay: false, version: 1 });

/** Shows a checklist. */
export const showChecklist = (
  checklist: Pick<ChecklistRow, "publicId" | "name" | "version">,
): z.infer<typeof ChecklistInfo> => ({
  publicId: checklist.publicId,
  name: checklist.name,
  version: checklist.version,
});
