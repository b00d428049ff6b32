import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card as CardView } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Board, Card, List } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { conflict } from "../../platform/errors.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { seenBlockers } from "../related/related-sql.ts";
import { claimer, claimState } from "./claim-sql.ts";
import { changedCardDetail } from "./detail.ts";

const minute = 60_000;

/** How long a claim holds a card. */
export const leaseField = {
  minutes: z
    .int()
    .min(1)
    .max(24 * 60)
    .default(15)
    .meta({ description: "How long the claim holds the card from now, in minutes." }),
};

/** When a claim that begins now expires. */
export const leaseEnd = (minutes: number, now: Date): Date =>
  new Date(now.getTime() + minutes * minute);

/** Claims a card for the caller. */
export const claimCard = mutation("card.claim", z.strictObject(leaseField))
  .meta(
    rest("Cards").post(
      "/cards/{cardPublicId}/claim",
      "Claim a card",
      "Claims a card for the caller, so that no other caller takes the same work. A claim ends " +
        "when it is released or when it expires. It does not stop others from editing the card. " +
        "Returns 409 while the card is claimed, even by the caller: extend a claim with " +
        "`card.renewClaim`. Returns 409 if the card is complete, or it, its list or its board is " +
        "archived, or if a card that the caller sees blocks it and is not complete.",
    ),
  )
  .output(CardView)
  .mutation(async ({ ctx, input }) => {
    const { card, list, board, membership, tx } = ctx;
    checkReady(ctx);
    await checkBlockers(ctx);
    if (claimState(card, membership.id, tx.now).isLive) {
      const until = card.claimExpiresAt?.toISOString() ?? "";
      throw conflict("card_claimed", `The card is claimed until ${until}. Take another card.`);
    }
    const expiresAt = leaseEnd(input.minutes, tx.now);
    void tx.query(sql`UPDATE cards SET "claimedById" = ${membership.id}, "claimExpiresAt" = ${expiresAt}
      WHERE id = ${card.id}`);
    tx.emit("card.claimed", { card, list, board, member: await claimer(tx, membership.id) });
    return changedCardDetail(tx, card, ctx);
  });

type Chain = {
  card: Pick<Card, "completedAt" | "archivedAt">;
  list: Pick<List, "archivedAt">;
  board: Pick<Board, "archivedAt">;
};

/** Throws 409 if a card is complete, or it, its list or its board is archived. */
function checkReady({ card, list, board }: Chain): void {
  const state =
    card.completedAt !== null
      ? "The card is complete. Mark it as not complete first."
      : Object.entries({ card, list, board }).flatMap(([kind, { archivedAt }]) =>
          archivedAt === null ? [] : `The ${kind} is archived. Bring it back first.`,
        )[0];
  if (state !== undefined) throw conflict("card_not_ready", state);
}

type Blocked = {
  card: { id: bigint; hasRelations: boolean };
  workspace: { cardPrefix: string };
  caller: Caller;
  tx: Pick<UnitOfWork, "query">;
};

/** Throws 409 that names the cards, of those that the caller sees, which block a card. */
async function checkBlockers({ card, workspace, caller, tx }: Blocked): Promise<void> {
  if (!card.hasRelations) return;
  const blockers = await tx.query<{ number: number }>(sql`SELECT o.number
    FROM (SELECT ${card.id}::bigint AS id) c, LATERAL (SELECT o.number ${seenBlockers(caller)}) o
    ORDER BY o.number`);
  if (blockers.length === 0) return;
  const names = blockers.map(({ number }) => `${workspace.cardPrefix}-${number}`).join(", ");
  throw conflict("card_not_ready", `The card is blocked by ${names}. Complete that first.`);
}
