import { cardParts } from "../parts/card.ts";
import type { Part } from "../parts/part.ts";

/** Changes what is on cards that have moved to another board of the workspace. */
export async function moveParts(...moved: Parameters<NonNullable<Part["toBoard"]>>): Promise<void> {
  for (const { toBoard } of Object.values(cardParts)) await toBoard?.(...moved);
}
