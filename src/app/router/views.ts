import { router } from "../../kernel/request/trpc.ts";
import { viewCards } from "../../domain/saved-views/cards.ts";
import { createView } from "../../domain/saved-views/create.ts";
import { deleteView } from "../../domain/saved-views/delete.ts";
import { getView } from "../../domain/saved-views/get.ts";
import { viewGroups } from "../../domain/saved-views/groups.ts";
import { listViews } from "../../domain/saved-views/list.ts";
import { updateView } from "../../domain/saved-views/update.ts";

/** Saved views of a workspace. */
export const views = router({
  list: listViews,
  get: getView,
  create: createView,
  update: updateView,
  delete: deleteView,
  cards: viewCards,
  groups: viewGroups,
});
