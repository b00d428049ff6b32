import { View } from "../../contract/resources/views.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { readView } from "./read.ts";

/** Reads a view. */
export const getView = query("view.get")
  .meta(
    rest("Views").get(
      "/views/{viewPublicId}",
      "Get a view",
      "Returns a saved view, and what of it is broken for the caller. A private view of another " +
        "member is not found.",
    ),
  )
  .output(View)
  .query(({ ctx: { view, workspace, db, ...ctx } }) =>
    readView(db.query, workspace, viewerOf(ctx), view.id),
  );
