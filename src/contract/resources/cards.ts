import { z } from "zod";
import { Timestamp } from "../vocabulary/fields.ts";
import { Label } from "./labels.ts";
import { MemberRef } from "./members.ts";
import { Checklist } from "./checklists.ts";
import { Attachment } from "./attachments.ts";

<<<<<<< HEAD
/** A card as `card.update` answers it. */
=======
/** A card as an update returns it. */
>>>>>>> main
export const CardRef = z
  .object({
    publicId: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    dueDate: Timestamp.nullable(),
  })
  .meta({ id: "CardRef" });

<<<<<<< HEAD
/** A card without its relations. */
=======
/** The own fields of a card. `cardNumber` is `ENG-12`. */
>>>>>>> main
export const CardInfo = CardRef.extend({
  cardNumber: z.string().meta({ description: "The card prefix and number, such as `ENG-12`." }),
  startDate: Timestamp.nullable(),
  isComplete: z.boolean(),
  isArchived: z.boolean(),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}).meta({ id: "CardInfo" });

<<<<<<< HEAD
const cardIndex = z.int().nullable().meta({
  description: "Zero-based, among the cards of the list that are not archived; null if archived.",
});

/** A card in a list of cards. */
=======
/** A card in a list. `index` is zero-based without archived cards; null when archived. */
>>>>>>> main
export const CardSummary = CardInfo.omit({ description: true })
  .extend({
    hasDescription: z.boolean(),
    index: cardIndex,
    listPublicId: z.string(),
    labels: z.array(Label),
    members: z.array(MemberRef),
    checklistItems: z.object({ total: z.int(), completed: z.int() }),
    commentCount: z.int(),
    attachmentCount: z.int(),
  })
  .meta({ id: "CardSummary" });

<<<<<<< HEAD
/** A card with its labels, members, checklists and attachments. */
=======
/** A card with its relations, except comments and history. */
>>>>>>> main
export const Card = CardInfo.extend({
  index: cardIndex,
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
<<<<<<< HEAD
    description:
      "Whether the caller watches the card. Assignees and authors of comments watch it as well.",
  }),
}).meta({ id: "Card" });

/** The name of a card. */
=======
    description: "Whether the caller is notified of changes. Assigned members and commenters are.",
  }),
}).meta({ id: "Card" });

/** A reference to a card. */
>>>>>>> main
export const CardName = z
  .object({ publicId: z.string(), title: z.string(), cardNumber: z.string() })
  .meta({ id: "CardName" });
