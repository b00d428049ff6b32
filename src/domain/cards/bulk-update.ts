import { z } from "zod";
import { findAccessibleList } from "../../kernel/access/accessible-list.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { timeZoneFor } from "../../kernel/time-zones.ts";
import { rest } from "../../kernel/request/rest.ts";
import { plannedDate, PublicId } from "../../contract/vocabulary/fields.ts";
import { notFound } from "../../platform/errors.ts";
import { cardFilter } from "./filters.ts";
import { consistentSets, relationFields } from "./set-change.ts";
import { changeManyLabels, changeManyMembers } from "./bulk-relations.ts";
import { changeManyRows, lockSelected, mostCards, readSelected } from "./bulk-rows.ts";

/** How many cards count as one call for the rate limit. */
const cardsPerCall = 5;

// A whole set would be another change for each card.
const { labelPublicIds: _, memberPublicIds: __, ...changesOfSets } = relationFields;

const Changes = z
  .strictObject({
    listPublicId: PublicId.meta({ description: "Moves to the end of this list." }).optional(),
    isArchived: z.boolean().optional(),
    isComplete: z.boolean().optional(),
    dueDate: plannedDate("When it is due"),
    startDate: plannedDate("When work starts"),
    ...changesOfSets,
  })
  .refine(...consistentSets);
const Bulk = z
  .strictObject({
    cardPublicIds: z.array(PublicId).min(1).max(mostCards).optional(),
    filter: z.strictObject(cardFilter).optional(),
    set: Changes,
  })
  .refine(({ cardPublicIds, filter }) => (cardPublicIds === undefined) !== (filter === undefined), {
    error: "Set either cardPublicIds or filter",
    path: ["cardPublicIds"],
  });
const Updated = z
  .object({
    selected: z.int().meta({ description: "The number of selected cards." }),
    changed: z.int().meta({ description: "The number of cards that changed." }),
  })
  .meta({ id: "BulkUpdate", description: "What a change of many cards has done." });

/** Changes many cards of a board in one transaction. */
export const bulkUpdateCards = mutation("card.bulkUpdate", Bulk, { locksFirst: true })
  .meta(
    rest("Cards").post(
      "/boards/{boardPublicId}/cards/bulk",
      "Change many cards",
      "Changes up to 500 cards of a board in one transaction: those that are named, or that pass " +
        "the filters of `board.cards`. A list of the board gets them at its end, in their order. " +
        "Each card has its own events. A card that has all values already does not change. An " +
        "error names its card and undoes all. At most 10,000 labels and as many members change. " +
        "Five cards count as one call for the rate limit, and so do 100 events.",
      { bodyFields: { min: 2, max: 2 } },
    ),
  )
  .output(Updated)
  .mutation(async ({ ctx, input: { cardPublicIds, filter, set } }) => {
    const { tx } = ctx;
    await tx.allowLongStatements();
    const timeZone = timeZoneFor(ctx.caller, ctx.workspace);
    const selection = { cardPublicIds, filter: filter && { ...filter, now: tx.now, timeZone } };
    const locked = await lockSelected(tx, ctx.board.id, selection);
    await ctx.countMore?.(Math.ceil(locked.length / cardsPerCall) - 1);
    const { listPublicId } = set;
    const target =
      listPublicId === undefined ? null : await findAccessibleList(tx.query, listPublicId, ctx);
    if (target !== null && target.board.id !== ctx.board.id) throw notFound("list");
    const lists = new Set([...locked.map((card) => card.listId), ...(target ? [target.id] : [])]);
    const live = await tx.lock("lists", [...lists]);
    if (target !== null && !live.includes(target.id)) throw notFound("list");
    await ctx.lockTarget();
    const cards = await readSelected(tx, locked);
    const changed = new Set([
      ...(await changeManyRows(tx, ctx.board, cards, target, set)),
      ...(await changeManyLabels(tx, ctx.board, cards, set)),
      ...(await changeManyMembers(tx, ctx.board, cards, set)),
    ]);
    tx.version = ctx.board.version;
    return { selected: cards.length, changed: changed.size };
  });
