import { router } from "../trpc.ts";
import { addItem } from "./add-item.ts";
import { createChecklist } from "./create.ts";
import { deleteItem } from "./delete-item.ts";
import { deleteChecklist } from "./delete.ts";
import { updateItem } from "./update-item.ts";
import { updateChecklist } from "./update.ts";

/** Checklists of a card and their items. */
export const checklists = router({
  create: createChecklist,
  update: updateChecklist,
  delete: deleteChecklist,
  addItem,
  updateItem,
  deleteItem,
});
