import { z } from "zod";
import { Success, Timestamp } from "../vocabulary/fields.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The name of a list. */
export const ListRef = viewedWith(
  "list:view",
  z.object({ publicId: z.string(), name: z.string() }).meta({ id: "ListRef" }),
);

/** A list without its cards. */
export const ListInfo = viewedWith(
  "list:view",
  z
    .object({
      publicId: z.string(),
      name: z.string(),
      wipLimit: z.int().nullable(),
      isArchived: z.boolean(),
      version: z.int(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    })
    .meta({ id: "ListInfo" }),
);

/** A list with its index and the number of its cards that are not archived. */
export const ListWithCount = viewedWith(
  "list:view",
  ListInfo.extend({
    boardPublicId: z.string(),
    cardCount: viewedWith("card:view", z.int()),
    index: z.int().nullable().meta({
      description:
        "Zero-based position among the lists of the board that are not archived. Null if archived.",
    }),
  }).meta({
    id: "List",
  }),
);

/** A list after its cards were sorted. */
export const SortedList = viewedWith(
  "list:view",
  ListWithCount.extend(Success.shape).meta({ id: "SortedList" }),
);
