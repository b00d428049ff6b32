import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { columns, csvOf } from "./csv.ts";
import { Download, inSnapshot } from "./export-scope.ts";
import { rest } from "../../kernel/request/rest.ts";
import { FilterText } from "../../contract/filter/schema.ts";
import { cardFilter, selectionFor } from "../../domain/cards/filters.ts";

const Selection = z.strictObject({ ...cardFilter, filter: FilterText.optional() });

/** Exports the cards of a board as CSV, streamed. */
export const exportBoardCsv = query("board.exportCsv", Selection)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/cards.csv",
      "Export a board as CSV",
      "Exports the cards of a board as CSV, list by list, with the filters of `board.cards`. The " +
        `file is UTF-8 with one line per card. Its columns are ${columns.join(", ")}. ` +
        "Each custom field has a column `fields.NAME (TYPE)`, which requires `board:view`. " +
        "Labels and members are separated by a comma and a space; a name with a comma, a semicolon " +
        "or a quote is in quotes. An apostrophe is before " +
        "what a spreadsheet would run as a formula: at the start of a cell, and inside after a " +
        "semicolon, tab, bar or line break. `list` is empty without `list:view`, " +
        "`labels` without `board:view`, and `comments` without `comment:view`. Over tRPC the " +
        "response is the URL of the file.",
      { response: "stream", contentTypes: ["text/csv"] },
    ),
  )
  .output(Download)
  .query(async ({ ctx, input }) => {
    const { board, caller, membership, deps, responseMeta } = ctx;
    const { boardPublicId: _, ...filter } = input;
    const selection = await selectionFor(ctx.db.query, ctx, deps.clock(), filter);
    const served = { filename: `${board.slug}.csv`, contentType: "text/csv; charset=utf-8" };
    delete responseMeta.version;
    responseMeta.stream = {
      ...served,
      open: (disconnected) =>
        inSnapshot(deps.db.snapshots, caller.userId, disconnected, ({ query: read }) =>
          csvOf(read, board.id, selection, membership.may),
        ),
    };
    return { url: `${deps.baseUrl}/api/v1/boards/${board.publicId}/cards.csv`, ...served };
  });
