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
      "Returns a saved view, with the parts of it that are broken for the caller. Returns 404 for " +
        "a private view of another member.",
    ),
  )
  .output(View)
  .query(({ ctx: { view, workspace, db, ...ctx } }) =>
    readView(db.query, workspace, viewerOf(ctx), view.id),
  );
