import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import { claimer, claimState } from "./claim-sql.ts";
import { changedCardDetail } from "./detail.ts";
import { leaseEnd, leaseField } from "./claim.ts";

/** Extends the caller's claim of a card. */
export const renewClaim = mutation("card.renewClaim", z.strictObject(leaseField))
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/claim",
      "Renew a claim",
      "Sets the time until which the caller's claim of a card holds, counted from now. Returns " +
        "409 if the caller's claim has expired, or was released or taken over.",
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, membership, tx } = ctx;
    const { isLive, isOwn } = claimState(card, membership.id, tx.now);
    if (!isLive || !isOwn) {
      const message = "The caller has no claim of this card. Claim it again before going on.";
      throw conflict("claim_lost", message);
    }
    void tx.query(sql`UPDATE cards SET "claimExpiresAt" = ${leaseEnd(input.minutes, tx.now)}
      WHERE id = ${card.id}`);
    tx.emit("card.claim_renewed", { card, list, board, member: await claimer(tx, membership.id) });
    return changedCardDetail(tx, card, ctx);
  });
