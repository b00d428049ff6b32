import { z } from "zod";
import { findAccessibleList } from "../../kernel/access/accessible-list.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { givenTo } from "../../contract/fields/field.ts";
import { GivenFieldValues } from "../../contract/resources/fields.ts";
import { PublicId } from "../../contract/vocabulary/fields.ts";
import { notFound } from "../../platform/errors.ts";
import { Filter } from "../../contract/filter/schema.ts";
import { cardFilter, selectionFor, treeInFilters } from "./filters.ts";
import { setFieldValues } from "../fields/values.ts";
import { consistentSets, relationFields } from "./set-change.ts";
import { changeManyLabels, changeManyMembers } from "./bulk-relations.ts";
import { changeManyRows, lockListsOf, lockSelected, maxCards, readSelected } from "./bulk-rows.ts";

/** How many cards count as one call for the rate limit. */
const cardsPerCall = 5;

// A whole set would be another change for each card.
const { labelPublicIds: _, memberPublicIds: __, ...changesOfSets } = relationFields;

const Changes = z
  .strictObject({
    listPublicId: PublicId.meta({
      examples: ["z7c4n9f3j1y6"],
      description: "Public id of the list to move the cards to. They go to its end.",
    }).optional(),
    ...givenTo(cardFields, "bulk"),
    ...changesOfSets,
    fields: GivenFieldValues,
  })
  .refine(...consistentSets);
const Bulk = z
  .strictObject({
    cardPublicIds: z
      .array(PublicId)
      .min(1)
      .max(maxCards)
      .meta({
        description: "Public ids of cards of the board. Set either these or `filter`.",
        examples: [["q8w2e5r7t1y4"]],
      })
      .optional(),
    filter: z
      .strictObject({ ...cardFilter, filter: Filter.optional() })
      .meta({ description: "Selects cards as `board.cards` does, at most 500." })
      .optional(),
    set: Changes.meta({
      description: "The fields to change. Fields that are absent stay as they are.",
    }),
  })
  .refine(({ cardPublicIds, filter }) => (cardPublicIds === undefined) !== (filter === undefined), {
    error: "Set either cardPublicIds or filter",
    path: ["cardPublicIds"],
  });
const Updated = z
  .object({
    selected: z.int().meta({ examples: [3], description: "The number of selected cards." }),
    changed: z.int().meta({ examples: [2], description: "The number of cards that changed." }),
  })
  .meta({ id: "BulkUpdate", description: "The result of updating many cards." });

/** Changes many cards of a board in one transaction. */
export const bulkUpdateCards = mutation("card.bulkUpdate", Bulk, {
  async beforeLock(ctx, { cardPublicIds, filter, set: { listPublicId } }) {
    const { board, tx } = ctx;
    await tx.allowLongStatements();
    const selection = {
      cardPublicIds,
      filter: filter && (await selectionFor(tx.query, ctx, tx.now, filter, { at: treeInFilters })),
    };
    const locked = await lockSelected(tx, board.id, selection);
    await ctx.countMore?.(Math.ceil(locked.length / cardsPerCall) - 1);
    const target =
      listPublicId === undefined ? null : await findAccessibleList(tx.query, listPublicId, ctx);
    if (target !== null && target.board.id !== board.id) throw notFound("list");
    await lockListsOf(tx, locked, target);
    return { locked, target };
  },
})
  .meta(
    rest("Cards").post(
      "/boards/{boardPublicId}/cards/bulk",
      "Update many cards",
      "Changes up to 500 cards of a board in one transaction: those named, or those that pass " +
        "the filters of `board.cards`. Cards that move to a list of the board go to its end, in " +
        "their order. Each changed card has its own events; a card that has all values already " +
        "does not change. An error names its card and undoes everything. At most 10,000 labels " +
        "and 10,000 members can change. Five cards count as one call for the rate limit, and so " +
        "do 100 events.",
      { bodyFields: { min: 2, max: 2 } },
    ),
  )
  .output(Updated)
  .mutation(async ({ ctx: { board, tx, before }, input: { set } }) => {
    const cards = await readSelected(tx, before.locked);
    const values = await setFieldValues(tx, board.id, cards, set.fields, ["set", "fields"]);
    const changedIds = new Set([
      ...(await changeManyRows(tx, board, cards, before.target, set, values)),
      ...(await changeManyLabels(tx, board, cards, set)),
      ...(await changeManyMembers(tx, board, cards, set)),
    ]);
    tx.version = board.version;
    return { selected: cards.length, changed: changedIds.size };
  });
