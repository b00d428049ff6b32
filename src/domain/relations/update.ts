import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Index } from "../../contract/vocabulary/texts.ts";
import { Card } from "../../contract/resources/cards.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { cardDetail } from "../cards/detail.ts";
import { lockBothCards } from "../cards/lock-both-cards.ts";
import { emitAt, otherCardOf } from "../related/ends.ts";

const Input = z.strictObject({ relationPublicId: inputId("relation"), index: Index.optional() });

/** Moves a child among the children of a card. */
export const updateRelation = mutation("relation.update", Input, {
  beforeLock: async (ctx, { relationPublicId }) =>
    lockBothCards(ctx, await otherCardOf(ctx, relationPublicId)),
})
  .meta(
    rest("Cards").put(
      "/cards/{cardPublicId}/relations/{relationPublicId}",
      "Move a child of a card",
      "Moves a child to `index` among the children of a card that the caller sees, and returns " +
        "the card. Returns 404 if the relation does not say that the card is a parent.",
      { errors: ["NOT_FOUND"] },
    ),
  )
  .output(Card)
  .mutation(async ({ ctx, input: { relationPublicId, index } }) => {
    const { card, before: other, tx } = ctx;
    const detail = await cardDetail(tx.query, card, ctx);
    const children = detail.relations.flatMap(({ publicId, kind }) =>
      kind === "parent" ? publicId : [],
    );
    const at = children.indexOf(relationPublicId);
    if (at < 0) throw notFound("relation");
    const to = Math.min(index ?? at, children.length - 1);
    if (to === at) return detail;
    // The child comes next to the one that is there now, whatever the caller does not see.
    const neighbour = children[to];
    const own = sql`r."publicId" = ${relationPublicId}`;
    void tx.query(sql`UPDATE card_relations t SET position = moved.nth
      FROM (SELECT r.id, row_number() OVER (ORDER BY CASE WHEN ${own} THEN anchor.position
            ELSE r.position END, CASE WHEN ${own} THEN anchor.id ELSE r.id END,
          CASE WHEN ${own} THEN ${to < at ? -1 : 1}::int ELSE 0 END) AS nth
        FROM card_relations r JOIN card_relations anchor ON anchor."publicId" = ${neighbour ?? ""}
        WHERE r."fromId" = ${card.id} AND r.kind = 'parent') moved
      WHERE moved.id = t.id AND t.position <> moved.nth`);
    emitAt(tx, "relation.moved", { publicId: relationPublicId, kind: "parent" }, ctx, other);
    return cardDetail(tx.query, card, ctx);
  });
