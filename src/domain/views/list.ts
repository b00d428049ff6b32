import { z } from "zod";
import { View } from "../../contract/resources/views.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { readViews } from "./read.ts";

/** Lists the views that the caller sees in a workspace, by name. */
export const listViews = query("view.list")
  .meta(
    rest("Views").get(
      "/workspaces/{workspacePublicId}/views",
      "List the views of a workspace",
      "Returns the caller's private views, the views of the boards that the caller sees, and those " +
        "of the workspace, sorted by name.",
    ),
  )
  .output(z.array(View))
  .query(({ ctx: { workspace, db, ...ctx } }) =>
    readViews(db.query, workspace, viewerOf(ctx), sql`true`),
  );
