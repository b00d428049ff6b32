import { z } from "zod";
import { cardFields } from "../fields/card.ts";
import { shownIn, shownShape } from "../fields/field.ts";
import { cardParts } from "./card-parts.ts";
import { partsIn } from "../fields/part.ts";
import { Success, Timestamp } from "../vocabulary/fields.ts";
import { MemberRef } from "./members.ts";
import { viewedWith } from "../vocabulary/view-permissions.ts";

/** A card as `card.update` answers it. */
export const CardRef = viewedWith(
  "card:view",
  z.object(shownIn(cardFields, "ref")).meta({ id: "CardRef" }),
);

/** A card without its relations. */
export const CardInfo = viewedWith(
  "card:view",
  z.object(shownShape(cardFields)).meta({ id: "CardInfo" }),
);

const cardIndex = z.int().nullable().meta({
  description:
    "Zero-based position among the cards of the list that are not archived. Null if archived.",
});

const claim = z
  .object({ member: MemberRef, expiresAt: Timestamp.meta({ description: "When the claim ends." }) })
  .meta({ id: "Claim" })
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
    .object(shownIn(cardFields, "entry", "summary"))
    .extend({
      hasDescription: z.boolean(),
      index: cardIndex,
      listPublicId: z.string(),
      claim,
      ...partsIn(cardParts, "summary"),
    })
    .meta({ id: "CardSummary" }),
);

/** A card in its events: with all that a list of cards shows of it. */
export const CardState = viewedWith(
  "card:view",
  CardInfo.extend(CardSummary.shape).meta({ id: "CardState" }),
);

/** A card with everything on it but its comments, which `comment.list` has. */
export const Card = viewedWith(
  "card:view",
  CardInfo.extend({
    index: cardIndex,
    listPublicId: z.string(),
    boardPublicId: z.string(),
    workspacePublicId: z.string(),
    claim,
    ...partsIn(cardParts, "detail"),
    isWatching: z.boolean().meta({
      description:
        "Whether the caller watches the card. Assignees and authors of comments watch it as well.",
    }),
  }).meta({ id: "Card" }),
);

/** A card, and whether the caller now watches it. */
export const WatchedCard = viewedWith(
  "card:view",
  Card.extend(Success.shape).meta({ id: "WatchedCard" }),
);

/** A card to which a member was assigned, or from which one was unassigned. */
export const ToggledMember = viewedWith(
  "card:view",
  Card.extend({ newMember: z.boolean() }).meta({ id: "ToggledMember" }),
);

/** The name of a card. */
export const CardName = viewedWith(
  "card:view",
  z
    .object({ publicId: z.string(), title: z.string(), cardNumber: z.string() })
    .meta({ id: "CardName" }),
);
