import { cardParts } from "../parts/card.ts";
import type { MovedParts, Part } from "../parts/part.ts";

/**
 * Changes what is on cards that have moved to another board of the workspace. Answers what their
 * events show of it.
 */
export async function moveParts(
  ...moved: Parameters<NonNullable<Part["toBoard"]>>
): Promise<MovedParts> {
  const all: [bigint, object][] = [];
  for (const { toBoard } of Object.values(cardParts))
    all.push(...((await toBoard?.(...moved)) ?? []));
  return new Map(all);
}
