import { z } from "zod";
import { inputId } from "../../contract/vocabulary/ids.ts";
import { Success, success } from "../../contract/vocabulary/texts.ts";
import { mutation } from "../../kernel/procedures/mutation.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { notFound } from "../../platform/errors.ts";
import { actingIn } from "./list.ts";

/** Forbids an app in a workspace. */
export const forbidApp = mutation("app.forbid", z.strictObject({ appPublicId: inputId("app") }))
  .meta(
    rest("Workspaces").put(
      "/workspaces/{workspacePublicId}/apps/{appPublicId}/forbidden",
      "Forbid an app",
      "Forbids an app that acts in the workspace. Members' connections that reach the workspace stop " +
        "working at once, and no member can allow the app to use it. An app that registers " +
        "once more is another app, unless an address vouches for it. A member who allowed the app " +
        "everything can connect it again to another workspace.",
    ),
  )
  .output(Success)
  .mutation(async ({ ctx: { workspace, tx }, input: { appPublicId } }) => {
    const [app] = await tx.query<{ id: bigint }>(sql`SELECT a.id FROM apps a
      WHERE a."publicId" = ${appPublicId} AND (
        a.id IN (SELECT "appId" FROM forbidden_apps WHERE "workspaceId" = ${workspace.id})
        OR a.id IN (SELECT "appId" FROM (${actingIn(workspace.id, tx.now)}) acting))
      FOR KEY SHARE`);
    if (app === undefined) throw notFound("app");
    await tx.query(sql`INSERT INTO forbidden_apps ("workspaceId", "appId", "createdAt")
      VALUES (${workspace.id}, ${app.id}, ${tx.now}::timestamptz) ON CONFLICT DO NOTHING`);
    return success;
  });
