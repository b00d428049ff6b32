import { router } from "../../kernel/request/trpc.ts";
import { createLabel } from "../../domain/labels/create.ts";
import { deleteLabel } from "../../domain/labels/delete.ts";
import { getLabel } from "../../domain/labels/get.ts";
import { listLabels } from "../../domain/labels/list.ts";
import { updateLabel } from "../../domain/labels/update.ts";

/** Labels of a board. */
export const labels = router({
  list: listLabels,
  get: getLabel,
  create: createLabel,
  update: updateLabel,
  delete: deleteLabel,
});
