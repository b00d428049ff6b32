import { attachmentsPart } from "./attachments.ts";
import { checklistsPart } from "./checklists.ts";
import { commentsPart } from "./comments.ts";
import { fieldsPart } from "./fields.ts";
import { labelsPart } from "./labels.ts";
import { membersPart } from "./members.ts";
import type { Parts } from "../fields/part.ts";

/** What hangs on a card: whoever shows, copies, moves or exports cards walks over it. */
export const cardParts = {
  labels: labelsPart,
  members: membersPart,
  checklists: checklistsPart,
  comments: commentsPart,
  attachments: attachmentsPart,
  fields: fieldsPart,
} as const satisfies Parts;
