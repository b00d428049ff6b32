import { z } from "zod";
import { snapshotQuery } from "../../kernel/procedures/snapshot-query.ts";
import { largeFrom } from "../../kernel/request/expensive-work.ts";
import { rest } from "../../kernel/request/rest.ts";
import { FilterText } from "../../contract/filter/schema.ts";
import { cardFilter, cardLimit, withCustomFields } from "../cards/filters.ts";
import { BoardWithCursor } from "../../contract/resources/boards.ts";
import { boardDetail } from "./detail.ts";

const Selection = z.strictObject({
  ...cardFilter,
  filter: FilterText.optional(),
  cardLimit,
});

/** Reads a board. */
export const getBoard = snapshotQuery("board.get", Selection, {
  isLarge: ({ workspace }) => workspace.lastCardNumber > largeFrom,
  isTimeless: ({ due, filter }) => filter === undefined && (due === undefined || due === "none"),
})
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}",
      "Get a board",
      "Returns a board with its labels, and its lists with their cards, in order. Only cards " +
        "that pass all filters are shown; `lists` filters the lists as well. A list's " +
        "`cardCount` counts the cards that pass, before `cardLimit`. A card's `index` counts all " +
        "cards of its list that are not archived. Everything is of one moment, and the feed from " +
        "`cursor` has all later events. A response has at most about 8 MB: on a larger board, " +
        "each list shows its first cards.",
      { snapshot: true },
    ),
  )
  .output(BoardWithCursor)
  .query(async ({ ctx: { query, board, workspace, now, timeZone, viewer }, input }) => {
    const { weekStartDay } = workspace;
    const who = viewer === null ? {} : { me: viewer.publicId, may: viewer.may };
    const asker = { now, timeZone, weekStartDay, ...who };
    const selection = await withCustomFields(query, board.id, { ...input, asker });
    return boardDetail(query, board, workspace, selection);
  });
