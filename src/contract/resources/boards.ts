import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { CardSummary } from "./cards.ts";
import { ListInfo } from "./lists.ts";
import { Label } from "./labels.ts";

/** The name of a board. */
export const BoardRef = z
  .object({ publicId: z.string(), name: z.string() })
  .meta({ id: "BoardRef" });

/** A board without its lists. */
export const BoardInfo = z
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
  .meta({ id: "BoardInfo" });

/** A card within a board; without fields that its list has. */
const CardEntry = CardSummary.omit({ listPublicId: true, createdAt: true, updatedAt: true }).meta({
  id: "CardEntry",
});

/** A list with its cards, in order. */
const ListWithCards = ListInfo.extend({
  cardCount: z.int().meta({ description: "All cards that pass the filters, shown or not." }),
  cards: z.array(CardEntry),
}).meta({ id: "ListWithCards" });

/** A board with its labels, and its lists with their cards, in order. */
export const Board = BoardInfo.extend({
  workspacePublicId: z.string(),
  lists: z.array(ListWithCards),
  labels: z.array(Label),
}).meta({ id: "Board" });

/** A board in a list of boards. */
export const BoardSummary = BoardInfo.extend({
  isFavourite: z.boolean(),
  listCount: z.int(),
}).meta({ id: "BoardSummary" });
