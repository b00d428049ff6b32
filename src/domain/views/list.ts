import { z } from "zod";
import { View } from "../../contract/resources/views.ts";
import { purgedBefore } from "../../kernel/access/trash-expiry.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { readViews } from "./read.ts";

/** The most deleted views of a list: their number has no limit. */
const maxDeleted = 500;

const Selection = z.strictObject({
  deleted: z
    .boolean()
    .default(false)
    .meta({
      description: `Lists the last ${maxDeleted} deleted views that can be restored instead.`,
    }),
});

/** Lists the views that the caller sees in a workspace, by name. */
export const listViews = query("view.list", Selection)
  .meta(
    rest("Views").get(
      "/workspaces/{workspacePublicId}/views",
      "List the views of a workspace",
      "Returns the caller's private views, the views of the boards that the caller sees, and those " +
        "of the workspace, sorted by name. With `deleted` these are the views in the trash: they " +
        "have no place in `workspace.trash`, whose entries are on boards.",
    ),
  )
  .output(z.array(View))
  .query(({ ctx: { workspace, db, deps, ...ctx }, input }) => {
    const since = purgedBefore(deps.clock(), deps.config.TRASH_DAYS);
    const viewer = viewerOf(ctx);
    const isShown = input.deleted
      ? sql`v.id IN (SELECT d.id FROM views d WHERE d."workspaceId" = ${workspace.id}
          AND (d."ownerId" IS NULL OR d."ownerId" = ${viewer.memberId})
          AND d."deletedAt" >= ${since}::timestamptz
        ORDER BY d."deletedAt" DESC LIMIT ${sql.number(maxDeleted)})`
      : sql`v."deletedAt" IS NULL`;
    return readViews(db.query, workspace, viewer, isShown);
  });
