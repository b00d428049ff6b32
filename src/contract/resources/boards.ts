import { z } from "zod";
import { boardFields } from "../fields/board.ts";
import { outputIn, outputShape } from "../fields/field.ts";
import { CardsOverLimit } from "../fields/shared.ts";
import { idOf } from "../vocabulary/ids.ts";
import { Success } from "../vocabulary/texts.ts";
import { CardSummary } from "./cards.ts";
import { boardParts } from "./board-parts.ts";
import { partsIn } from "../fields/part.ts";
import { ListInfo, ListRef } from "./lists.ts";
import { Label } from "./labels.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** The name of a board. */
export const BoardRef = viewedWith(
  "board:view",
  z
    .object(outputIn(boardFields, "ref"))
    .meta({ id: "BoardRef", description: "The id and name of a board." }),
);

/** A board without its lists. */
export const BoardInfo = viewedWith(
  "board:view",
  z
    .object(outputShape(boardFields))
    .meta({ id: "BoardInfo", description: "A board without its lists." }),
);

/** A card within a board; without fields that its list has. */
const CardEntry = viewedWith(
  "card:view",
  CardSummary.omit({ listPublicId: true, createdAt: true, updatedAt: true }).meta({
    id: "CardEntry",
    description: "A card within a board.",
  }),
);

/** A list with its cards, in order. */
const ListWithCards = viewedWith(
  "list:view",
  ListInfo.extend({
    cardCount: viewedWith(
      "card:view",
      z.int().meta({
        examples: [12],
        description: "The number of cards that pass the filters, including those not shown.",
      }),
    ),
    cardsOverLimit: viewedWith("card:view", CardsOverLimit),
    cards: z.array(CardEntry).meta({ description: "The cards, in order." }),
  }).meta({ id: "ListWithCards", description: "A list with its cards, in order." }),
);

/** A board with its labels, and its lists with their cards, in order. */
export const Board = viewedWith(
  "board:view",
  BoardInfo.extend({
    workspacePublicId: idOf("workspace"),
    lists: z.array(ListWithCards).meta({ description: "The lists, in order." }),
    ...partsIn(boardParts, "detail"),
  }).meta({
    id: "Board",
    description: "A board with its labels and fields, and its lists with their cards, in order.",
  }),
);

/** A board at a point of the workspace's log. */
export const BoardWithCursor = viewedWith(
  "board:view",
  Board.extend({
    cursor: z.string().meta({
      examples: ["v1.c2VhbGVkIHNvIHRoYXQgbm9ib2R5IHJlYWRzIGl0"],
      description:
        "The feed from here has all later events. It may repeat some that the board shows already.",
    }),
  }).meta({
    id: "BoardWithCursor",
    description: "A board, and where the stream of its events starts.",
  }),
);

/** A board in a list of boards. */
export const BoardSummary = viewedWith(
  "board:view",
  BoardInfo.extend({
    workspacePublicId: idOf("workspace"),
    isFavourite: z
      .boolean()
      .meta({ description: "Whether the board is a favourite of the caller." }),
    listCount: viewedWith(
      "list:view",
      z.int().meta({
        description: "The number of lists that are not archived. 0 without `list:view`.",
        examples: [3],
      }),
    ),
  }).meta({ id: "BoardSummary", description: "A board without its contents." }),
);

/** A list of a board in a list of boards. */
const ListEntry = viewedWith(
  "list:view",
  ListRef.extend({
    index: z.int().meta({ examples: [0], description: "Zero-based position." }),
  }).meta({
    id: "ListEntry",
    description: "A list of a board in a list of boards.",
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
  }).meta({
    id: "BoardEntry",
    description:
      "A board in a list of boards, with its lists and labels where they were requested.",
  }),
);

/** A board after the caller has changed their favourites. */
export const FavouriteBoard = viewedWith(
  "board:view",
  BoardSummary.extend(Success.shape).meta({
    id: "FavouriteBoard",
    description: "A board, and whether it is now a favourite of the caller.",
  }),
);

/** A board with the id of a member that was added to it. */
export const BoardWithMember = viewedWith(
  "board:view",
  BoardSummary.extend({ ...Success.shape, memberPublicId: idOf("member") }).meta({
    id: "BoardWithMember",
    description: "A board with the id of a member that was added to it.",
  }),
);
