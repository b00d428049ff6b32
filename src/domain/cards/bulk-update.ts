import { z } from "zod";
import { findAccessibleList } from "../../kernel/access/accessible-list.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFields } from "../../contract/fields/card.ts";
import { updateShape } from "../../contract/fields/field.ts";
import { FieldValuesInput } from "../../contract/resources/custom-fields.ts";
import { PublicId } from "../../contract/vocabulary/texts.ts";
import { notFound } from "../../platform/errors.ts";
import { Filter } from "../../contract/filter/schema.ts";
import { cardFilter, selectionFor, treeInFilters } from "./filters.ts";
import { setFieldValues } from "../custom-fields/values.ts";
import { consistentSets, setFields } from "./set-change.ts";
import { changeManyLabels, changeManyMembers } from "./bulk-sets.ts";
import {
  changeManyRows,
  lockListsOf,
  lockSelected,
  maxCards,
  readSelected,
  type SelectedCard,
} from "./bulk-rows.ts";
import {
  changeRelations,
  changedRelations,
  changesRelations,
  lockRelated,
  type RelatedCards,
} from "../related/change.ts";
import type { LockedEnd } from "../related/ends.ts";

/** How many cards count as one call for the rate limit. */
const cardsPerCall = 5;

// A whole set would be another change for each card.
const { labelPublicIds: _, memberPublicIds: __, ...changesOfSets } = setFields;

const Changes = z
  .strictObject({
    listPublicId: PublicId.meta({
      examples: ["z7c4n9f3j1y6"],
      description: "Public id of the list to move the cards to. They go to its end.",
    }).optional(),
    ...updateShape(cardFields, "bulk"),
    ...changesOfSets,
    ...changedRelations,
    fields: FieldValuesInput,
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

type Parents = Pick<LockedEnd, "board" | "workspace">;

/** The cards as ends of relations, in the lists where they are now. */
const endsOf = (
  cards: SelectedCard[],
  target: LockedEnd["list"] | null,
  { board, workspace }: Parents,
): LockedEnd[] => cards.map((card) => ({ card, list: target ?? card.list, board, workspace }));

/** Changes many cards of a board in one transaction. */
export const bulkUpdateCards = mutation("card.bulkUpdate", Bulk, {
  async beforeLock(ctx, { cardPublicIds, filter, set }) {
    const { board, tx } = ctx;
    const { listPublicId } = set;
    await tx.allowLongStatements();
    const selection = {
      cardPublicIds,
      filter: filter && (await selectionFor(tx.query, ctx, tx.now, filter, { at: treeInFilters })),
    };
    let related: RelatedCards = new Map();
    const lockMore = async (ids: bigint[]) => {
      related = await lockRelated(ctx, ids, set, ["set"]);
    };
    const more = changesRelations(set) ? lockMore : undefined;
    const locked = await lockSelected(tx, board.id, selection, more);
    await ctx.countMore?.(Math.ceil(locked.length / cardsPerCall) - 1);
    const target =
      listPublicId === undefined ? null : await findAccessibleList(tx.query, listPublicId, ctx);
    if (target !== null && target.board.id !== board.id) throw notFound("list");
    await lockListsOf(tx, locked, target);
    return { locked, target, related };
  },
})
  .meta(
    rest("Cards").post(
      "/boards/{boardPublicId}/cards/bulk",
      "Update many cards",
      "Changes up to 500 cards of a board in one transaction: those named, or those that pass " +
        "the filters of `board.cards`. Cards that move to a list of the board go to its end, in " +
        "their order. Each changed card has its own events; a card that has all values already " +
        "does not change. An error names its card and undoes everything. At most 10,000 labels, " +
        "10,000 members and 500 relations can change. Five cards count as one call for the rate " +
        "limit, and so do 100 events.",
      { bodyFields: { min: 2, max: 2 } },
    ),
  )
  .output(Updated)
  .mutation(async ({ ctx, input: { set } }) => {
    const { board, tx, before } = ctx;
    const cards = await readSelected(tx, before.locked);
    const values = await setFieldValues(tx, board.id, cards, set.fields, ["set", "fields"]);
    const changedIds = new Set([
      ...(await changeManyRows(tx, board, cards, before.target, set, values)),
      ...(await changeManyLabels(tx, board, cards, set)),
      ...(await changeManyMembers(tx, board, cards, set)),
      ...(await changeRelations(ctx, endsOf(cards, before.target, ctx), before.related, set, [
        "set",
      ])),
    ]);
    tx.version = board.version;
    return { selected: cards.length, changed: changedIds.size };
  });
