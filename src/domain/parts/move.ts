import { sql } from "../../platform/db/sql.ts";
import { moveTexts } from "../search/index-texts.ts";
import { cardParts } from "./card.ts";
import { keepParts } from "./kept.ts";
import type { MovedParts, Part } from "./part.ts";

/**
 * Changes what is on cards that have moved to another board of the workspace. Answers what their
 * events show of it.
 */
export async function moveParts(
  ...move: Parameters<NonNullable<Part["toBoard"]>>
): Promise<MovedParts> {
  const [{ tx }, cardIds, board] = move;
  void moveTexts(tx.query, cardIds, board.id);
  const additions: [bigint, object][] = [];
  for (const { toBoard } of Object.values(cardParts))
    additions.push(...((await toBoard?.(...move)) ?? []));
  void keepParts(tx.query, sql`c.id = ANY(${cardIds}::bigint[])`);
  return new Map(additions);
}
