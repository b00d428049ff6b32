import { router } from "../trpc.ts";
import { addItem } from "./add-item.ts";
import { createChecklist } from "./create.ts";
import { deleteItem } from "./delete-item.ts";

/** Checklists of a card and their items. */
export const checklists = router({ create: createChecklist, addItem, deleteItem });
