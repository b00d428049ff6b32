import { WorkspaceApp } from "../../contract/resources/oauth.ts";
import { isoOrNull, Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { showApp, type ShownApp } from "../presenters/apps.ts";

type Row = ShownApp & {
  id: bigint;
  isForbidden: boolean;
  members: number;
  lastUsedAt: Date | null;
};

/** SQL: the apps that reach a workspace by the grant of an active member, with what is told of them. */
export const actingIn = (workspaceId: bigint, now: Date): Sql =>
  sql`SELECT k."appId", count(DISTINCT m.id) AS members, max(k."lastUsedAt") AS "lastUsedAt"
    FROM members m JOIN api_keys k ON k."userId" = m."userId" AND k."appId" IS NOT NULL
      AND k."revokedAt" IS NULL AND k."expiresAt" > ${now}::timestamptz
      AND (k."workspaceId" IS NULL OR k."workspaceId" = ${workspaceId})
    WHERE m."workspaceId" = ${workspaceId} AND m.status = 'active' GROUP BY k."appId"`;

/** Lists the apps that act in a workspace, and those that it forbids. */
export const listApps = query("app.list", Page)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/apps",
      "List connected apps",
      "Returns the apps that members have connected and that reach the workspace, and those that " +
        "it forbids, oldest first.",
    ),
  )
  .output(pageOf(WorkspaceApp))
  .query(async ({ ctx: { workspace, db, deps }, input }) => {
    const pages = pagesById(deps.seal, `apps of ${workspace.id}`);
    const rows = await db.query<Row>(sql`
      WITH acting AS MATERIALIZED (${actingIn(workspace.id, deps.clock())}),
        forbidden AS (SELECT "appId" FROM forbidden_apps WHERE "workspaceId" = ${workspace.id})
      SELECT a.id, a."publicId", a."clientId", a.name,
        a.id IN (SELECT "appId" FROM forbidden) AS "isForbidden",
        coalesce(g.members, 0)::int AS members, g."lastUsedAt"
      FROM (SELECT "appId" FROM acting UNION SELECT "appId" FROM forbidden) shown
      JOIN apps a ON a.id = shown."appId" LEFT JOIN acting g ON g."appId" = a.id
      WHERE a.id > ${pages.after(input.cursor) ?? 0n} ORDER BY a.id LIMIT ${input.limit + 1}`);
    return pages.page(rows, input.limit, (row) => ({
      ...showApp(row),
      isForbidden: row.isForbidden,
      members: row.members,
      lastUsedAt: isoOrNull(row.lastUsedAt),
    }));
  });
