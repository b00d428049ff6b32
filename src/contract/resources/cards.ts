import { z } from "zod";
import { idOf } from "../vocabulary/ids.ts";
import { cardFields } from "../fields/card.ts";
import { outputIn, outputShape } from "../fields/field.ts";
import { cardParts } from "./card-parts.ts";
import { partsIn } from "../fields/part.ts";
import { Success, Timestamp } from "../vocabulary/texts.ts";
import { MemberRef } from "./members.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** A card as `card.update` answers it. */
export const CardRef = viewedWith(
  "card:view",
  z
    .object(outputIn(cardFields, "ref"))
    .meta({ id: "CardRef", description: "The text and due date of a card." }),
);

/** A card without its relations. */
export const CardInfo = viewedWith(
  "card:view",
  z.object(outputShape(cardFields)).meta({ id: "CardInfo" }),
);

const cardIndex = viewedWith(
  "card:view",
  z
    .int()
    .nullable()
    .meta({
      examples: [0],
      description:
        "Zero-based position among the cards of the list that are not archived. Null if archived, " +
        "and without `card:view`.",
    }),
);

const claim = z
  .object({
    member: MemberRef,
    expiresAt: Timestamp.meta({
      description: "When the claim ends.",
      examples: ["2026-02-02T08:30:00.000Z"],
    }),
  })
  .meta({ id: "Claim", description: "A member who works on a card, and until when." })
  .nullable()
  .meta({
    description:
      "Who last claimed the card. It is claimed until `expiresAt`; a claim whose `expiresAt` is " +
      "past holds nothing. Null if the card was not claimed, or the claim was released.",
  });

/** A card in a list of cards. */
export const CardSummary = viewedWith(
  "card:view",
  z
    .object(outputIn(cardFields, "entry", "summary"))
    .extend({
      hasDescription: z
        .boolean()
        .meta({ description: "Whether the card has a description.", examples: [true] }),
      index: cardIndex,
      listPublicId: idOf("list"),
      claim,
      ...partsIn(cardParts, "summary"),
    })
    .meta({ id: "CardSummary", description: "A card in a list of cards." }),
);

/** A card in a list of cards from several boards. */
export const CardOnBoard = viewedWith(
  "card:view",
  CardSummary.extend({
    boardPublicId: idOf("board"),
    workspacePublicId: idOf("workspace"),
  }).meta({ id: "CardOnBoard", description: "A card in a list of cards from several boards." }),
);

/** A card in its events: with all that a list of cards shows of it. */
export const CardState = viewedWith(
  "card:view",
  CardInfo.extend(CardSummary.shape).meta({
    id: "CardState",
    description: "A card in events, with every field that a list of cards shows.",
  }),
);

/** A card with everything on it but its comments, which `comment.list` has. */
export const Card = viewedWith(
  "card:view",
  CardInfo.extend({
    index: cardIndex,
    listPublicId: idOf("list"),
    boardPublicId: idOf("board"),
    workspacePublicId: idOf("workspace"),
    claim,
    ...partsIn(cardParts, "detail"),
    isWatching: z.boolean().meta({
      description:
        "Whether the caller watches the card. Assignees and authors of comments watch it as well.",
    }),
  }).meta({
    id: "Card",
    description: "A card with its labels, members, checklists and attachments.",
  }),
);

/** A card, and whether the caller now watches it. */
export const WatchedCard = viewedWith(
  "card:view",
  Card.extend(Success.shape).meta({
    id: "WatchedCard",
    description: "A card, and whether the caller now watches it.",
  }),
);

/** A card to which a member was assigned, or from which one was unassigned. */
export const ToggledMember = viewedWith(
  "card:view",
  Card.extend({
    newMember: z
      .boolean()
      .meta({ description: "True if the member was assigned, false if they were unassigned." }),
  }).meta({
    id: "ToggledMember",
    description: "A card, and whether the member is assigned to it now.",
  }),
);

/** The name of a card. */
export const CardName = viewedWith(
  "card:view",
  z
    .object({
      publicId: idOf("card"),
      title: z
        .string()
        .meta({ description: "The title of the card.", examples: ["Write the announcement"] }),
      cardNumber: z.string().meta({
        description: "The card prefix and number, such as `ENG-12`.",
        examples: ["AE-12"],
      }),
    })
    .meta({ id: "CardName", description: "The id, title and number of a card." }),
);
