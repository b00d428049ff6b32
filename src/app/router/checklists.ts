import { router } from "../../kernel/request/trpc.ts";
import { addItem } from "../../domain/checklists/add-item.ts";
import { createChecklist } from "../../domain/checklists/create.ts";
import { deleteItem } from "../../domain/checklists/delete-item.ts";
import { listItems } from "../../domain/checklists/items.ts";
import { deleteChecklist } from "../../domain/checklists/delete.ts";
import { updateItem } from "../../domain/checklists/update-item.ts";
import { updateChecklist } from "../../domain/checklists/update.ts";

/** Checklists of a card and their items. */
export const checklists = router({
  create: createChecklist,
  update: updateChecklist,
  delete: deleteChecklist,
  items: listItems,
  addItem,
  updateItem,
  deleteItem,
});
