import type { cardParts as declared } from "../../contract/resources/card-parts.ts";
import { attachments } from "./attachments.ts";
import { checklists } from "./checklists.ts";
import { comments } from "./comments.ts";
import { fields } from "./fields.ts";
import { labels } from "./labels.ts";
import { members } from "./members.ts";
import type { Part, MovedParts } from "./part.ts";

/** What hangs on a card: whoever reads, copies, moves or purges cards walks over it. */
export const cardParts: Readonly<Record<keyof typeof declared, Part>> = {
  labels,
  members,
  checklists,
  comments,
  attachments,
  fields,
};

/**
 * Changes what is on cards that have moved to another board of the workspace. Answers what their
 * events show of it.
 */
export async function moveParts(
  ...move: Parameters<NonNullable<Part["toBoard"]>>
): Promise<MovedParts> {
  const additions: [bigint, object][] = [];
  for (const { toBoard } of Object.values(cardParts))
    additions.push(...((await toBoard?.(...move)) ?? []));
  return new Map(additions);
}
