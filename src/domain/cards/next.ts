import { z } from "zod";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { Card } from "../../contract/resources/cards.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Card as CardRow } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { Caller } from "../../kernel/access/callers.ts";
import { seenBlockers } from "../related/related-sql.ts";
import { claimer } from "./claim-sql.ts";
import { changedCardDetail } from "./detail.ts";
import { Filter } from "../../contract/filter/schema.ts";
import {
  cardFilter,
  isSelected,
  selectionFor,
  treeInFilters,
  type CardSelection,
} from "./filters.ts";
import { leaseEnd, leaseField } from "./claim.ts";

/** The groups of cards that an index has in the order of a sort, one after the other. */
type Order = { groups: (boardId: bigint) => Sql; isInGroup: Sql; by: Sql };
const orders: Record<"position" | "priority" | "dueDate", Order> = {
  position: {
    groups: (boardId) => sql`SELECT id FROM lists
      WHERE "boardId" = ${boardId} AND "deletedAt" IS NULL AND "archivedAt" IS NULL
      ORDER BY position`,
    isInGroup: sql`c."listId" = g.id`,
    by: sql`c.position`,
  },
  priority: {
    groups: () =>
      sql`SELECT p AS id FROM unnest(enum_range(NULL::"CardPriority")) p ORDER BY p DESC`,
    // As a range, or PostgreSQL would take any index that has the order of ids.
    isInGroup: sql`c.priority BETWEEN g.id AND g.id`,
    by: sql`c.priority, c.id`,
  },
  dueDate: { groups: () => sql`SELECT 1`, isInGroup: sql`true`, by: sql`c."dueDate", c.id` },
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
        "first. `dueDate`: earliest first. Of equal cards, the oldest is first.",
    }),
});
const Claimed = z
  .object({ card: Card.nullable().meta({ description: "The card. Null if none is ready." }) })
  .meta({ id: "NextCard", description: "The card that was claimed." });

type ClaimedCard = CardRow & { listPublicId: string; listName: string };

/** A claim that begins now. */
type NewClaim = {
  memberId: bigint;
  minutes: number;
  now: Date;
  caller: Pick<Caller, "userId" | "key" | "hasSecondFactor">;
};

/** SQL: claims the first card of a board that is ready and selected. */
export function claimFirst(
  boardId: bigint,
  selection: CardSelection,
  sort: keyof typeof orders,
  { memberId, minutes, now, caller }: NewClaim,
): Sql {
  const { groups, isInGroup, by } = orders[sort];
  // PostgreSQL checks the conditions again for a card that changed before it was locked.
  return sql`WITH next AS MATERIALIZED (
      SELECT first.* FROM (${groups(boardId)} OFFSET 0) g
      CROSS JOIN LATERAL (SELECT c.id, l."publicId", l.name
        FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
        WHERE ${isInGroup} AND ${isSelected(boardId, selection)} AND c."completedAt" IS NULL
          AND (c."claimExpiresAt" IS NULL OR c."claimExpiresAt" <= ${now}::timestamptz)
          AND NOT (c."hasRelations" AND EXISTS (SELECT ${seenBlockers(caller)}))
        ORDER BY ${by} LIMIT 1 FOR NO KEY UPDATE OF c SKIP LOCKED) first
      LIMIT 1)
    UPDATE cards c SET "claimedById" = ${memberId}, "claimExpiresAt" = ${leaseEnd(minutes, now)}
    FROM next WHERE c.id = next.id
    RETURNING c.*, next."publicId" AS "listPublicId", next.name AS "listName"`;
}

/** Claims the next ready card of a board. */
export const nextCard = mutation("card.next", Next, {
  async beforeLock(ctx, { filter, minutes, sort }) {
    const { board, caller, membership, tx } = ctx;
    if (board.archivedAt !== null) return undefined;
    const { now } = tx;
    const selection = await selectionFor(tx.query, ctx, now, filter ?? {}, { at: treeInFilters });
    const claim = { memberId: membership.id, minutes, now, caller };
    const [claimed] = await tx.query<ClaimedCard>(claimFirst(board.id, selection, sort, claim));
    return claimed;
  },
})
  .meta(
    rest("Cards").post(
      "/boards/{boardPublicId}/cards/next",
      "Claim the next card",
      "Claims the next ready card of a board that passes all filters, and returns it. Two callers " +
        "never get the same card. A card is ready if it is not complete, neither it nor its list " +
        "or board is archived, and nobody holds a claim on it, not even the caller. Nor is a card " +
        "ready while a card that the caller sees blocks it and is not complete. Cards that another " +
        "call is changing at this moment are skipped. `card` is null if none is ready.",
    ),
  )
  .output(Claimed)
  .mutation(async ({ ctx }) => {
    const { before: claimed, board, membership, tx } = ctx;
    tx.version = board.version;
    if (claimed === undefined) return { card: null };
    const { listPublicId, listName, ...card } = claimed;
    const list = { publicId: listPublicId, name: listName };
    tx.emit("card.claimed", { card, list, board, member: await claimer(tx, membership.id) });
    return { card: await changedCardDetail(tx, card, { ...ctx, list }) };
  });
