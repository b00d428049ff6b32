import { router } from "../trpc.ts";
import { listCards } from "./cards.ts";
import { createList } from "./create.ts";
import { deleteList } from "./delete.ts";
import { getList } from "./get.ts";
import { moveCards } from "./move-cards.ts";
import { restoreList } from "./restore.ts";
import { sortList } from "./sort.ts";
import { updateList } from "./update.ts";

/** Lists of a board. */
export const lists = router({
  create: createList,
  get: getList,
  cards: listCards,
  update: updateList,
  delete: deleteList,
  restore: restoreList,
  moveCards,
  sort: sortList,
});
