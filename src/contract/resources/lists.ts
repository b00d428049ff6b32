import { z } from "zod";
import { columnsIn, outputIn, outputShape, storedShape } from "../fields/field.ts";
import type { AnyPart } from "../fields/part.ts";
import { listFields } from "../fields/list.ts";
import { CardsOverLimit } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { PublicId, Success, Timestamp } from "../vocabulary/texts.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The name of a list. */
export const ListRef = viewedWith(
  "list:view",
  z
    .object(outputIn(listFields, "ref"))
    .meta({ id: "ListRef", description: "The id and name of a list." }),
);

/** A list without its cards. */
export const ListInfo = viewedWith(
  "list:view",
  z
    .object(outputShape(listFields))
    .meta({ id: "ListInfo", description: "A list without its cards." }),
);

/** A list with its index and the number of its cards that are not archived. */
export const ListWithCount = viewedWith(
  "list:view",
  ListInfo.extend({
    boardPublicId: idOf("board"),
    cardCount: viewedWith(
      "card:view",
      z.int().meta({ description: "The number of cards that are not archived.", examples: [12] }),
    ),
    cardsOverLimit: viewedWith("card:view", CardsOverLimit),
    index: z
      .int()
      .nullable()
      .meta({
        examples: [0],
        description:
          "Zero-based position among the lists of the board that are not archived. Null if archived.",
      }),
  }).meta({
    id: "List",
    description: "A list with the number of its cards.",
  }),
);

/** A list after its cards were sorted. */
export const SortedList = viewedWith(
  "list:view",
  ListWithCount.extend(Success.shape).meta({
    id: "SortedList",
    description: "A list whose cards were sorted.",
  }),
);

/** The lists of a board. A board shows them with their cards. Older files have no `wipMode`. */
export const listsOnBoard = {
  tables: {
    lists: {
      counted: "lists",
      kind: "list",
      copied: ["position", ...columnsIn(listFields, "copy")],
      canArchive: true,
    },
  },
  stored: {
    lists: z.array(
      z.strictObject({
        publicId: PublicId,
        ...storedShape(listFields),
        createdAt: Timestamp,
        updatedAt: Timestamp,
      }),
    ),
  },
  counted: ["lists"],
  lines: { list: viewedWith("list:view", ListInfo.extend({ boardPublicId: z.string() })) },
} as const satisfies AnyPart;
