import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { summariesOf } from "../cards/summaries.ts";
import { CardSummary } from "../../contract/resources/cards.ts";
import { Page, pageOf } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter } from "../cards/filters.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { timeZoneFor } from "../../kernel/time-zones.ts";
import { findCandidates } from "./candidates.ts";
import { aboutSorts, selectPage, sortNames } from "./cards-page.ts";

const CardSort = z.enum(sortNames).meta({ id: "CardSort", description: "The order of cards." });
const Filter = Page.extend({
  ...cardFilter,
  sort: CardSort.default("position").meta({ description: aboutSorts }),
});

/** Lists the cards of a board, in one of four orders. */
export const listBoardCards = query("board.cards", Filter)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/cards",
      "List the cards of a board",
      "Returns the cards of a board that pass all filters, sorted by `sort`. The filters are " +
        "those of `board.get`.",
    ),
  )
  .output(pageOf(CardSummary))
  .query(async ({ ctx: { board, workspace, caller, db, deps }, input }) => {
    const { sort, limit, cursor, ...filter } = input;
    const timeZone = timeZoneFor(caller, workspace);
    const selection = { ...filter, now: deps.clock(), timeZone };
    const keyset = pagesByKeys(deps.seal, `cards of ${board.id} by ${sort}`);
    const page = { limit: limit + 1, after: keyset.after(cursor) ?? null };
    const among = await findCandidates(db.query, sort, board.id, selection);
    const found = await db.query<{ id: bigint; keys: string[] }>(
      selectPage(sort, board.id, selection, { ...page, among }),
    );
    const { rows, nextCursor } = keyset.page(found, limit);
    const ids = rows.map(({ id }) => id);
    return { items: await summariesOf(db.query, ids), nextCursor };
  });
