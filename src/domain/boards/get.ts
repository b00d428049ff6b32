import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { cardFilter, cardLimit } from "../cards/filters.ts";
import { Board } from "../../contract/resources/boards.ts";
import { boardDetail } from "./detail.ts";

const Wanted = z.strictObject({ ...cardFilter, cardLimit });

/** A board with its labels, and its lists with their cards, in order. */
export const getBoard = query("board.get", Wanted)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}",
      "Read a board",
      "A board with its labels, and its lists with their cards, in order. Filters take away cards (`lists` takes away lists as well), and what matches nothing leaves none: a card passes when it passes every filter that is given. A list's `cardCount` counts the cards that pass, however many `cardLimit` lets through; a card's `index` is its place among all cards of the list that are not archived.",
    ),
  )
  .output(Board)
  .query(({ ctx: { db, deps, board, workspace }, input }) =>
    boardDetail(db.query, board, workspace, { ...input, now: deps.clock() }),
  );
