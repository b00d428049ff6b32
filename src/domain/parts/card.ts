import type { cardParts as declared } from "../../contract/resources/card-parts.ts";
import { attachments } from "./attachments.ts";
import { checklists } from "./checklists.ts";
import { comments } from "./comments.ts";
import { fields } from "./custom-fields.ts";
import { labels } from "./labels.ts";
import { members } from "./members.ts";
import { relations } from "./relations.ts";
import type { Part } from "./part.ts";

/** What hangs on a card: whoever reads, copies, moves or purges cards walks over it. */
export const cardParts: Readonly<Record<keyof typeof declared, Part>> = {
  labels,
  members,
  checklists,
  comments,
  attachments,
  fields,
  relations,
};
