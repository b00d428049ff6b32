import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { columns, csvOf } from "./csv.ts";
import { Download } from "./download.ts";
import { within } from "./export-scope.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter } from "../../domain/cards/filters.ts";

/** The cards of a board for a spreadsheet, made while they are sent. */
export const exportBoardCsv = query("board.exportCsv", z.strictObject(cardFilter))
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/cards.csv",
      "Export the cards of a board as CSV",
      `The cards of a board, list by list, through the filters of \`board.cards\`: UTF-8, one line a card, with the columns ${columns.join(", ")}. Several labels or members are separated by a comma and a space. A cell that a spreadsheet would take for a formula begins with an apostrophe. Over tRPC it answers where to get it.`,
      { response: "stream" },
    ),
  )
  .output(Download)
  .query(async ({ ctx: { board, caller, deps, responseMeta }, input }) => {
    const { boardPublicId: _, ...wanted } = input;
    const served = { filename: `${board.slug}.csv`, contentType: "text/csv; charset=utf-8" };
    delete responseMeta.version;
    responseMeta.stream = {
      ...served,
      open: (gone) =>
        within(deps.db.snapshots, caller.userId, gone, ({ query: read }) =>
          csvOf(read, board.id, { ...wanted, now: deps.clock() }),
        ),
    };
    return { url: `${deps.baseUrl}/api/v1/boards/${board.publicId}/cards.csv`, ...served };
  });
