import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { Label } from "./labels.ts";
import { MemberRef } from "./members.ts";
import { Checklist } from "./checklists.ts";
import { Attachment } from "./attachments.ts";

/** A card as an update returns it. */
export const CardRef = z
  .object({
    publicId: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    dueDate: Timestamp.nullable(),
  })
  .meta({ id: "CardRef" });

/** The own fields of a card. `cardNumber` is `ENG-12`. */
export const CardInfo = CardRef.extend({
  cardNumber: z.string(),
  startDate: Timestamp.nullable(),
  isComplete: z.boolean(),
  isArchived: z.boolean(),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).meta({ id: "CardInfo" });

/** A card in a list. `index` is zero-based without archived cards; null when archived. */
export const CardSummary = CardInfo.omit({ description: true })
  .extend({
    hasDescription: z.boolean(),
    index: z.int().nullable(),
    listPublicId: z.string(),
    labels: z.array(Label),
    members: z.array(MemberRef),
    checklistItems: z.object({ total: z.int(), completed: z.int() }),
    commentCount: z.int(),
    attachmentCount: z.int(),
  })
  .meta({ id: "CardSummary" });

/** A card with its relations, except comments and history. */
export const Card = CardInfo.extend({
  index: z.int().nullable(),
  listPublicId: z.string(),
  boardPublicId: z.string(),
  workspacePublicId: z.string(),
  labels: z.array(Label),
  members: z.array(MemberRef),
  checklists: z.array(Checklist),
  attachments: z.array(Attachment),
  commentCount: z.int(),
  attachmentCount: z.int(),
  isWatching: z.boolean().meta({
    description: "Whether the caller is notified of changes. Assigned members and commenters are.",
  }),
}).meta({ id: "Card" });

/** A reference to a card. */
export const CardName = z
  .object({ publicId: z.string(), title: z.string(), cardNumber: z.string() })
  .meta({ id: "CardName" });
