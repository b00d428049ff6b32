import { z } from "zod";
import { FilterText } from "../../contract/filter/schema.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import { isGroupField } from "../../contract/filter/groupings.ts";
import {
  ByName,
  groupInput,
  isNamedGroup,
  viewLimits,
  ViewGroups,
} from "../../contract/resources/views.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { badRequest } from "../../platform/errors.ts";
import { cardFilter, selectionFor, type CardSelection } from "../cards/filters.ts";
import { sql } from "../../platform/db/sql.ts";
import { readSameNamed, type CustomFields } from "../filters/custom-fields.ts";
import { countGroups } from "./groups.ts";
import { narrowed } from "./selection.ts";

const { archived: _, ...filters } = cardFilter;
const Groups = z.strictObject({
  ...filters,
  filter: FilterText.optional(),
  groupBy: groupInput,
  byName: ByName.default(false),
});

/** Counts the cards of a board by a field. */
export const boardGroups = query("board.groups", Groups)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/groups",
      "Count the cards of a board",
      "Returns how many cards of a board that pass all filters are in each group of `groupBy`, and " +
        "their total. A card with several labels, members or options is in several groups. " +
        "With `byName`, lists, labels or options of one name are one group. " +
        `Archived cards do not count. At most ${viewLimits.countedCards.toLocaleString("en")} ` +
        "cards are counted. If there are more, `isExact` is false and the numbers are lower bounds.",
    ),
  )
  .output(ViewGroups)
  .query(async ({ ctx, input }) => {
    const { board, db, deps } = ctx;
    const { groupBy, byName, lists, boardPublicId: _board, ...chosen } = input;
    checkByName(input);
    const options = { extraNames: [groupBy] };
    const now = deps.clock();
    const all: CardSelection = await selectionFor(db.query, ctx, now, chosen, options);
    const custom: CustomFields = all.custom ?? new Map();
    const type = custom.get(groupBy)?.type;
    if (!isGroupField(groupBy) && type !== "select" && type !== "multiSelect") {
      const message = "Cards can be grouped by a custom field of the board only if it has options.";
      throw badRequest("invalid_value", message, ["groupBy"]);
    }
    const field = custom.get(groupBy);
    const isHere = sql`b.id = ${board.id}`;
    const named =
      byName && field !== undefined
        ? await readSameNamed(db.query, isHere, field)
        : new Map(field === undefined ? [] : [[groupBy, field]]);
    const inLists: FilterTree[] =
      lists === undefined ? [] : [{ field: "listPublicId", op: "isAnyOf", value: lists }];
    return countGroups(db.query, {
      boards: [board.id],
      selection: inLists.reduce(narrowed, { ...all, custom }),
      sort: [],
      groupBy: { field: groupBy, byName, custom: named },
    });
  });

function checkByName({ groupBy, byName }: { groupBy: string; byName: boolean }): void {
  if (byName && !isNamedGroup(groupBy))
    throw badRequest("custom", "Only lists, labels and options are grouped by name.", ["byName"]);
}
