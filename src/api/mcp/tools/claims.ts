import { z } from "zod";
import { claimCard } from "../../../domain/cards/claim.ts";
import { nextCard } from "../../../domain/cards/next.ts";
import { releaseClaim } from "../../../domain/cards/release-claim.ts";
import { renewClaim } from "../../../domain/cards/renew-claim.ts";
import * as arg from "../arguments.ts";
import type { Card } from "../find.ts";
import { quoted } from "../text.ts";
import { write, writes } from "../tool.ts";
import { present } from "../../../kernel/events/changes.ts";
import { filterOf, filters, finding, findingCards } from "./filters.ts";

const minutes = z.int().describe("How long; 15 by default.").optional();

const until = ({ claim }: Card) => (claim === null ? "" : ` until ${claim.expiresAt}`);

const cardNext = writes(
  {
    name: "card_next",
    title: "Claim the next card",
    group: "cards",
    description:
      "Finds the next ready card of a board that passes the filters and claims it for you, so that " +
      "nobody else gets it. Ready is a card that is neither complete nor claimed.",
    procedures: [nextCard, ...finding],
    input: {
      board: arg.Board,
      ...filters,
      sort: z.enum(["position", "priority", "dueDate"]).optional(),
      minutes,
    },
  },
  async (find, { board: boardName, sort, minutes: lease, ...chosen }) => {
    const { publicId: boardPublicId } = await find.board(boardName);
    const filter = await filterOf(find, boardPublicId, chosen);
    const input = { boardPublicId, filter, ...present({ sort, minutes: lease }) };
    return write(nextCard, input, ({ card }) =>
      card === null
        ? "No card is ready."
        : `Claimed ${card.cardNumber} ${quoted(card.title)}${until(card)}. Read it with card_get.`,
    );
  },
);

const cardClaim = writes(
  {
    name: "card_claim",
    title: "Claim a card",
    group: "cards",
    description:
      "Claims a card for you for some minutes, so that nobody else takes the same work; or renews " +
      "or releases your claim. A claim does not stop edits.",
    procedures: [claimCard, renewClaim, releaseClaim, ...findingCards],
    input: {
      card: arg.Card,
      action: z.enum(["claim", "renew", "release"]).optional(),
      minutes,
    },
  },
  async (find, { card: number, action = "claim", minutes: lease }) => {
    const { publicId: cardPublicId, cardNumber } = await find.card(number);
    if (action === "release") {
      return write(releaseClaim, { cardPublicId }, () => `Released ${cardNumber}.`);
    }
    const procedure = action === "claim" ? claimCard : renewClaim;
    return write(procedure, { cardPublicId, ...present({ minutes: lease }) }, (card) => {
      return `${action === "claim" ? "Claimed" : "Renewed"} ${cardNumber}${until(card)}.`;
    });
  },
);

/** The tools by which several agents share the cards of a board. */
export const claimTools = [cardNext, cardClaim];
