import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { missingPermission } from "../../platform/errors.ts";
import { claimer, claimState } from "./claim-sql.ts";
import { cardDetail, changedCardDetail } from "./detail.ts";

/** Ends the claim of a card. */
export const releaseClaim = mutation("card.releaseClaim")
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/claim",
      "Release a claim",
      "Ends the claim of a card, so that others can claim it. Releasing the claim of another " +
        "member before it expires also requires `list:edit`. If the card is not claimed, nothing " +
        "changes.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx }) => {
    const { card, list, board, membership, tx } = ctx;
    if (card.claimedById === null) return cardDetail(tx.query, card, ctx);
    const { isLive, isOwn } = claimState(card, membership.id, tx.now);
    if (isLive && !isOwn && !membership.may.has("list:edit")) throw missingPermission("list:edit");
    void tx.query(sql`UPDATE cards SET "claimedById" = NULL, "claimExpiresAt" = NULL
      WHERE id = ${card.id}`);
    const member = await claimer(tx, card.claimedById);
    tx.emit("card.claim_released", { card, list, board, member });
    return changedCardDetail(tx, card, ctx);
  });
