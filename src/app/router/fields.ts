import { router } from "../../kernel/request/trpc.ts";
import { createField } from "../../domain/fields/create.ts";
import { deleteField } from "../../domain/fields/delete.ts";
import { listFields } from "../../domain/fields/list.ts";
import { restoreField } from "../../domain/fields/restore.ts";
import { updateField } from "../../domain/fields/update.ts";

/** Custom fields of a board. */
export const fields = router({
  list: listFields,
  create: createField,
  update: updateField,
  delete: deleteField,
  restore: restoreField,
});
