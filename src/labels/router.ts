import { router } from "../trpc.ts";
import { createLabel } from "./create.ts";
import { deleteLabel } from "./delete.ts";
import { getLabel } from "./get.ts";
import { listLabels } from "./list.ts";
import { updateLabel } from "./update.ts";

/** Labels of a board. */
export const labels = router({
  list: listLabels,
  get: getLabel,
  create: createLabel,
  update: updateLabel,
  delete: deleteLabel,
});
