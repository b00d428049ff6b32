import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { claimer } from "./claim-sql.ts";
import { changedCardDetail } from "./detail.ts";
import { Filter } from "../../contract/filter/schema.ts";
import { askerOf, cardFilter, isSelected } from "./filters.ts";
import { leaseEnd, leaseField } from "./lease.ts";

const orders = {
  position: sql`l.position, c.position`,
  priority: sql`c.priority DESC, l.position, c.position`,
  dueDate: sql`c."dueDate" NULLS LAST, l.position, c.position`,
};

const { archived: _, ...filters } = cardFilter;
const Next = z.strictObject({
  filter: z
    .strictObject({ ...filters, filter: Filter.optional() })
    .optional()
    .meta({ description: "Only cards that pass all of these filters." }),
  ...leaseField,
  sort: z
    .enum(["position", "priority", "dueDate"])
    .meta({ id: "NextCardSort", description: "Which card is next." })
    .default("position")
    .meta({
      description:
        "Which card is next. `position`: list by list, as on the board. `priority`: most urgent " +
        "first. `dueDate`: earliest first. Equal cards follow their position.",
    }),
});
const Claimed = z
  .object({ card: Card.nullable().meta({ description: "The card. Null if none is ready." }) })
  .meta({ id: "NextCard", description: "The card that was claimed." });

type Found = CardRow & { listPublicId: string; listName: string };

/** Claims the next ready card of a board. */
export const nextCard = mutation("card.next", Next, {
  async beforeLock(ctx, { filter, minutes, sort }) {
    const { board, membership, tx } = ctx;
    const isReady = sql`${isSelected(board.id, { ...filter, asker: askerOf(ctx, tx.now) })}
      AND c."completedAt" IS NULL
      AND (c."claimExpiresAt" IS NULL OR c."claimExpiresAt" <= ${tx.now}::timestamptz)`;
    // PostgreSQL checks the conditions again for a card that changed before it was locked.
    const [found] = await tx.query<Found>(sql`WITH next AS MATERIALIZED (
        SELECT c.id, l."publicId", l.name
        FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
        WHERE ${isReady} ORDER BY ${orders[sort]} LIMIT 1 FOR NO KEY UPDATE OF c SKIP LOCKED)
      UPDATE cards c SET "claimedById" = ${membership.id},
        "claimExpiresAt" = ${leaseEnd(minutes, tx.now)}
      FROM next WHERE c.id = next.id
      RETURNING c.*, next."publicId" AS "listPublicId", next.name AS "listName"`);
    return found;
  },
})
  .meta(
    rest("Cards").post(
      "/boards/{boardPublicId}/cards/next",
      "Claim the next card",
      "Finds the next card of a board that passes all filters and is ready, and claims it in the " +
        "same statement: two callers never get the same card. A card is ready if it is neither " +
        "archived nor complete and no claim holds it, not even one of the caller. A card that " +
        "another call is changing at this moment is passed over. Answers `null` if no card is " +
        "ready.",
    ),
  )
  .output(Claimed)
  .mutation(async ({ ctx }) => {
    const { before: found, board, membership, tx } = ctx;
    tx.version = board.version;
    if (found === undefined) return { card: null };
    const { listPublicId, listName, ...card } = found;
    const list = { publicId: listPublicId, name: listName };
    tx.emit("card.claimed", { card, list, board, member: await claimer(tx, membership.id) });
    return { card: await changedCardDetail(tx, card, { ...ctx, list }) };
  });
