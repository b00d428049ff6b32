import { z } from "zod";
import { CardOnBoard } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { badRequest } from "../../platform/errors.ts";
import { summariesOnBoards } from "../cards/summaries.ts";
import { treeOfGroup } from "./group.ts";
import { readCardPage } from "../boards/cards-page.ts";
import { narrowed, selectionOf } from "./selection.ts";

const Input = Page.extend({
  group: z
    .string()
    .min(1)
    .max(600)
    .meta({ description: "Only the cards of the group with this `key`, as in `view.groups`." })
    .optional(),
});

/** Lists the cards of a view. */
export const viewCards = query("view.cards", Input)
  .meta(
    rest("Views").get(
      "/views/{viewPublicId}/cards",
      "List the cards of a view",
      "Returns the cards of a view on all of its boards that the caller sees, in the order of the " +
        "view. Archived cards are left out. `me` and relative dates are those of the caller. " +
        "Returns 400 for a `group` of a view whose `groupBy` is null or broken.",
    ),
  )
  .output(pageOf(CardOnBoard))
  .query(async ({ ctx, input }) => {
    const { db, deps, view } = ctx;
    const shown = await selectionOf(ctx, deps.clock());
    const { group } = input;
    if (group !== undefined) {
      if (shown.groupBy === null)
        throw badRequest("custom", "The cards of this view are not grouped.", ["group"]);
      const { custom } = shown.groupBy;
      shown.selection = {
        ...narrowed(shown.selection, await treeOfGroup(db.query, shown.groupBy, group)),
        custom: new Map([...shown.selection.custom, ...custom]),
      };
    }
    const order = shown.sort.map((key) => `${key.field} ${key.order}`).join();
    const keyset = pagesByKeys(deps.seal, `cards of view ${view.id} by ${order}`);
    const page = { limit: input.limit, after: keyset.after(input.cursor) ?? null };
    const { boards, selection, sort } = shown;
    const cards = await readCardPage(db.query, sort, boards, selection, page);
    const { rows, nextCursor } = keyset.page(cards, input.limit);
    const ids = rows.map(({ id }) => id);
    return { items: await summariesOnBoards(db.query, ids), nextCursor };
  });
