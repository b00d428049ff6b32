import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import {
  relationKinds,
  type StoredRelationKind,
} from "../../contract/vocabulary/relation-kinds.ts";
import { Card } from "../../contract/resources/cards.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { cardDetail } from "../cards/detail.ts";
import { lockBothCards } from "../cards/lock-both-cards.ts";
import { emitAtBoth, otherCardOf } from "../related/ends.ts";

const Input = z.strictObject({ relationPublicId: inputId("relation") });
type Row = { kind: StoredRelationKind; isFrom: boolean };

/** Removes a relation of two cards. */
export const deleteRelation = mutation("relation.delete", Input, {
  beforeLock: async (ctx, { relationPublicId }) =>
    lockBothCards(ctx, await otherCardOf(ctx, relationPublicId)),
})
  .meta(
    rest("Cards").delete(
      "/cards/{cardPublicId}/relations/{relationPublicId}",
      "Remove a relation of a card",
      "Removes a relation from both cards, and returns this one. Both require `card:edit`.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input: { relationPublicId } }) => {
    const { card, before: other, tx } = ctx;
    const [row] = await tx.query<Row>(sql`DELETE FROM card_relations
      WHERE "publicId" = ${relationPublicId}
        AND ("fromId", "toId") IN ((${card.id}::bigint, ${other.card.id}::bigint),
          (${other.card.id}::bigint, ${card.id}::bigint))
      RETURNING kind, "fromId" = ${card.id} AS "isFrom"`);
    if (row === undefined) throw notFound("relation");
    const kind = row.isFrom ? row.kind : relationKinds[row.kind];
    emitAtBoth(tx, "relation.deleted", { publicId: relationPublicId, kind }, ctx, other);
    return cardDetail(tx.query, card, ctx);
  });
