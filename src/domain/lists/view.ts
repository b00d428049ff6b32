import { z } from "zod";
import type { List as ListRow } from "../../platform/db/rows.ts";
import { iso, Timestamp } from "../../contract/fields.ts";

/** A list by its name. */
export const ListRef = z.object({ publicId: z.string(), name: z.string() }).meta({ id: "ListRef" });

/** A list without its cards. */
export const ListInfo = z
  .object({
    publicId: z.string(),
    name: z.string(),
    wipLimit: z.int().nullable(),
    isArchived: z.boolean(),
    version: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "ListInfo" });

/** Shows a list's row. */
export const viewList = (list: ListRow): z.infer<typeof ListInfo> => ({
  publicId: list.publicId,
  name: list.name,
  wipLimit: list.wipLimit,
  isArchived: list.archivedAt !== null,
  version: list.version,
  createdAt: iso(list.createdAt),
  updatedAt: iso(list.updatedAt),
});

/** A list by itself. */
export const ListWithCount = ListInfo.extend({
  boardPublicId: z.string(),
  cardCount: z.int(),
}).meta({
  id: "List",
});
