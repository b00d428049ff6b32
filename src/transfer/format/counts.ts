import { z } from "zod";
import { countsOf } from "../../contract/fields/part.ts";
import { boardParts } from "../../contract/resources/board-parts.ts";
import { cardParts } from "../../contract/resources/card-parts.ts";

/** A record with a value for each kind in the document of a workspace. */
const ofAll = <Value>(value: Value) => ({
  roles: value,
  members: value,
  boards: value,
  ...countsOf(boardParts, value),
  views: value,
  cards: value,
  ...countsOf(cardParts, value),
  activity: value,
});

/** How many of each kind are in the document of a workspace. */
export const DocumentCounts = z.strictObject(ofAll(z.int().min(0).default(0)));

export type DocumentCounts = z.infer<typeof DocumentCounts>;

/** The counts of an empty document. */
export const emptyCounts = (): DocumentCounts => ofAll(0);
