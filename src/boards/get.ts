import { mayRead } from "../access/may.ts";
import { rest } from "../http/rest.ts";
import { Board } from "./view.ts";
import { wholeBoard } from "./whole.ts";

/** A board with its labels, and its lists with their cards, in order. */
export const getBoard = mayRead("board.get")
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}",
      "Read a board",
      "A board with its labels, and its lists with their cards, in order.",
    ),
  )
  .output(Board)
  .query(({ ctx }) => wholeBoard(ctx.db.query, ctx.board, ctx.workspace));
