import { z } from "zod";
import { Success, Timestamp } from "../vocabulary/fields.ts";
import { CardSummary } from "./cards.ts";
import { ListInfo, ListRef } from "./lists.ts";
import { Label } from "./labels.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The name of a board. */
export const BoardRef = viewedWith(
  "board:view",
  z.object({ publicId: z.string(), name: z.string() }).meta({ id: "BoardRef" }),
);

/** A board without its lists. */
export const BoardInfo = viewedWith(
  "board:view",
  z
    .object({
      publicId: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      slug: z.string(),
      type: z.enum(["regular", "template"]),
      visibility: z.enum(["private", "restricted", "public"]),
      isArchived: z.boolean(),
      version: z.int(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
    })
    .meta({ id: "BoardInfo" }),
);

/** A card within a board; without fields that its list has. */
const CardEntry = viewedWith(
  "card:view",
  CardSummary.omit({ listPublicId: true, createdAt: true, updatedAt: true }).meta({
    id: "CardEntry",
  }),
);

/** A list with its cards, in order. */
const ListWithCards = viewedWith(
  "list:view",
  ListInfo.extend({
    cardCount: viewedWith(
      "card:view",
      z.int().meta({
        description: "The number of cards that pass the filters, including those not shown.",
      }),
    ),
    cards: z.array(CardEntry),
  }).meta({ id: "ListWithCards" }),
);

/** A board with its labels, and its lists with their cards, in order. */
export const Board = viewedWith(
  "board:view",
  BoardInfo.extend({
    workspacePublicId: z.string(),
    lists: z.array(ListWithCards),
    labels: z.array(Label),
  }).meta({ id: "Board" }),
);

/** A board at a point of the workspace's log. */
export const BoardWithCursor = viewedWith(
  "board:view",
  Board.extend({
    cursor: z.string().meta({
      description:
        "The feed from here has all later events. It may repeat some that the board shows already.",
    }),
  }).meta({ id: "BoardWithCursor" }),
);

/** A board in a list of boards. */
export const BoardSummary = viewedWith(
  "board:view",
  BoardInfo.extend({
    workspacePublicId: z.string(),
    isFavourite: z.boolean(),
    listCount: z.int(),
  }).meta({ id: "BoardSummary" }),
);

/** A list of a board in a list of boards. */
const ListEntry = viewedWith(
  "list:view",
  ListRef.extend({ index: z.int().meta({ description: "Zero-based position." }) }).meta({
    id: "ListEntry",
  }),
);

/** A board in a list of boards, with its lists and labels where they were asked for. */
export const BoardEntry = viewedWith(
  "board:view",
  BoardSummary.extend({
    lists: z
      .array(ListEntry)
      .meta({ description: "The lists that are not archived, in order. Only with `withLists`." })
      .optional(),
    labels: z
      .array(Label)
      .meta({ description: "The labels of the board. Only with `withLists`." })
      .optional(),
  }).meta({ id: "BoardEntry" }),
);

/** A board after the caller has changed their favourites. */
export const FavouriteBoard = viewedWith(
  "board:view",
  BoardSummary.extend(Success.shape).meta({ id: "FavouriteBoard" }),
);

/** A board with the id of a member that was added to it. */
export const BoardWithMember = viewedWith(
  "board:view",
  BoardSummary.extend({ ...Success.shape, memberPublicId: z.string() }).meta({
    id: "BoardWithMember",
  }),
);
