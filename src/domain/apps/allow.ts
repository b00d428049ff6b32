import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";

/** Allows an app again that a workspace forbids. */
export const allowApp = mutation("app.allow", z.strictObject({ appPublicId: inputId("app") }))
  .meta(
    rest("Workspaces").delete(
      "/workspaces/{workspacePublicId}/apps/{appPublicId}/forbidden",
      "Allow a forbidden app",
      "Allows an app again. Connections that have not ended work again.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { workspace, tx }, input: { appPublicId } }) => {
    const rows = await tx.query(sql`DELETE FROM forbidden_apps f USING apps a
      WHERE a.id = f."appId" AND a."publicId" = ${appPublicId}
        AND f."workspaceId" = ${workspace.id} RETURNING 1`);
    if (rows.length === 0) throw notFound("app");
    return success;
  });
