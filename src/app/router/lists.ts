import { router } from "../../kernel/request/trpc.ts";
import { listCards } from "../../domain/lists/cards.ts";
import { createList } from "../../domain/lists/create.ts";
import { deleteList } from "../../domain/lists/delete.ts";
import { getList } from "../../domain/lists/get.ts";
import { moveCards } from "../../domain/lists/move-cards.ts";
import { restoreList } from "../../domain/lists/restore.ts";
import { sortList } from "../../domain/lists/sort.ts";
import { updateList } from "../../domain/lists/update.ts";

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
