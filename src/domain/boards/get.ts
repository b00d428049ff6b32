import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { largeFrom } from "../../kernel/request/expensive-work.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter, cardLimit } from "../cards/filters.ts";
import { Board } from "../../contract/resources/boards.ts";
import { boardDetail } from "./detail.ts";

const Selection = z.strictObject({ ...cardFilter, cardLimit });

/** Reads a board. */
export const getBoard = query("board.get", Selection)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}",
      "Read a board",
      "A board with its labels, and its lists with their cards, in order. Only cards that pass " +
        "all filters are shown; `lists` filters lists as well. A list's `cardCount` is the " +
        "number " +
        "of cards that pass, before `cardLimit`. A card's `index` counts all cards of its list " +
        "that are not archived. An answer has at most about 8 MB: of a larger board, the lists " +
        "show their first cards.",
    ),
  )
  .output(Board)
  .query(({ ctx: { db, deps, board, workspace, caller }, input }) => {
    const read = () => boardDetail(db.query, board, workspace, { ...input, now: deps.clock() });
    if (workspace.lastCardNumber <= largeFrom) return read();
    return deps.largeReads.run(`user ${caller.publicId}`, read);
  });
