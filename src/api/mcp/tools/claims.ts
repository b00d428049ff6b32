import { z } from "zod";
import { claimCard } from "../../../domain/cards/claim.ts";
import { nextCard } from "../../../domain/cards/next.ts";
import { releaseClaim } from "../../../domain/cards/release-claim.ts";
import { renewClaim } from "../../../domain/cards/renew-claim.ts";
import * as arg from "../arguments.ts";
import { getWorkspace } from "../../../domain/workspaces/get.ts";
import { filterByIds } from "../custom-fields.ts";
import type { Card, Find } from "../find.ts";
import { quoted, ToolError } from "../text.ts";
import type { Session, WriteOptions } from "../session.ts";
import { write, writes, type Write } from "../tool.ts";
import { getCard } from "../../../domain/cards/get.ts";
import { Failure } from "../../../platform/errors.ts";
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
      "nobody else gets it. Ready is a card that is neither complete, claimed nor blocked. card_list with " +
      "`filter` claim is me finds those that you claimed.",
    procedures: [nextCard, ...finding],
    input: {
      board: arg.Board,
      ...filters,
      filter: arg.Filter.describe("As in card_list."),
      sort: z.enum(["position", "priority", "dueDate"]).optional(),
      minutes,
    },
  },
  async (find, { board: boardName, sort, minutes: lease, filter: tree, ...chosen }) => {
    const { publicId: boardPublicId } = await find.board(boardName);
    const filter = {
      ...(await filterOf(find, boardPublicId, chosen)),
      ...(tree === undefined ? {} : { filter: await filterByIds(find, boardPublicId, tree) }),
    };
    const input = { boardPublicId, filter, ...present({ sort, minutes: lease }) };
    return write(nextCard, input, ({ card }) =>
      card === null
        ? "No card is ready."
        : `Claimed ${card.cardNumber} ${quoted(card.title)}${until(card)}. Read it with card_get.`,
    );
  },
);

/** A claim that says so when the card is the caller's own already. */
const claiming = (find: Find, { publicId, cardNumber, workspacePublicId }: Card, plan: Write) => ({
  ...plan,
  async perform(session: Session, options: WriteOptions) {
    try {
      return await plan.perform(session, options);
    } catch (error) {
      if (!isClaimed(error)) throw error;
      const card = await session.read(getCard, { cardPublicId: publicId });
      if (card.claim?.member.publicId !== (await find.ownMember(workspacePublicId))) throw error;
      throw new ToolError(
        `You have claimed ${cardNumber} already${until(card)}: \`action\` renews or releases your ` +
          "claim. (card_claimed)",
      );
    }
  },
});

const isClaimed = (error: unknown) =>
  error instanceof Failure && error.issues.some(({ code }) => code === "card_claimed");

const cardClaim = writes(
  {
    name: "card_claim",
    title: "Claim a card",
    group: "cards",
    description:
      "Claims a card for you for some minutes, so that nobody else takes the same work; or renews " +
      "or releases your claim. A claim does not stop edits.",
    procedures: [claimCard, renewClaim, releaseClaim, getWorkspace, ...findingCards],
    input: {
      card: arg.Card,
      action: z.enum(["claim", "renew", "release"]).optional(),
      minutes,
    },
  },
  async (find, { card: number, action = "claim", minutes: lease }) => {
    const card = await find.card(number);
    const { publicId: cardPublicId, cardNumber } = card;
    if (action === "release") {
      return write(releaseClaim, { cardPublicId }, () => `Released ${cardNumber}.`);
    }
    const procedure = action === "claim" ? claimCard : renewClaim;
    const verb = action === "claim" ? "Claimed" : "Renewed";
    const input = { cardPublicId, ...present({ minutes: lease }) };
    const plan = write(procedure, input, (claimed) => `${verb} ${cardNumber}${until(claimed)}.`);
    return action === "claim" ? claiming(find, card, plan) : plan;
  },
);

/** The tools by which several agents share the cards of a board. */
export const claimTools = [cardNext, cardClaim];
