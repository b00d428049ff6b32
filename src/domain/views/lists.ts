import type { List as ListRow } from "../../platform/db/rows.ts";
import type { z } from "zod";
import type { ListInfo } from "../../contract/resources/lists.ts";
import { iso } from "../../contract/vocabulary/fields.ts";

/** The view of a list. */
export const viewList = (list: ListRow): z.infer<typeof ListInfo> => ({
  publicId: list.publicId,
  name: list.name,
  wipLimit: list.wipLimit,
  wipMode: list.wipMode,
  isArchived: list.archivedAt !== null,
  version: list.version,
  createdAt: iso(list.createdAt),
  updatedAt: iso(list.updatedAt),
});
