import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";

/** The name of a list. */
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

/** A list with the number of its cards that are not archived. */
export const ListWithCount = ListInfo.extend({
  boardPublicId: z.string(),
  cardCount: z.int(),
}).meta({
  id: "List",
});
