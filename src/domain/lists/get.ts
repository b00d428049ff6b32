import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { ListWithCount } from "../../contract/resources/lists.ts";
import { listDetail } from "./detail.ts";

/** Reads a list. */
export const getList = query("list.get")
  .meta(
    rest("Lists").get(
      "/lists/{listPublicId}",
      "Get a list",
      "Returns a list with its index and the number of its cards that are not archived.",
    ),
  )
  .output(ListWithCount)
  .query(({ ctx: { list, board, db } }) => listDetail(db.query, list, board));
