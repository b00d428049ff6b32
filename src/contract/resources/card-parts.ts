import { attachmentsPart } from "./attachments.ts";
import { checklistsPart } from "./checklists.ts";
import { commentsPart } from "./comments.ts";
import { customFieldsPart } from "./custom-fields.ts";
import { labelsPart } from "./labels.ts";
import { membersPart } from "./members.ts";
import { relationsPart } from "./relations.ts";
import type { Parts } from "../fields/part.ts";

/** What hangs on a card: whoever shows, copies, moves or exports cards walks over it. */
export const cardParts = {
  labels: labelsPart,
  members: membersPart,
  checklists: checklistsPart,
  comments: commentsPart,
  attachments: attachmentsPart,
  fields: customFieldsPart,
  relations: relationsPart,
} as const satisfies Parts;
