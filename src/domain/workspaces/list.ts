import { z } from "zod";
import { query, type ExtraRow } from "../../kernel/procedures/query.ts";
import { purgedBefore } from "../../kernel/access/trash-expiry.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import { keyAllowsSql } from "../../kernel/access/callers.ts";
import { holdsPermission } from "../../kernel/access/visibility.ts";
import { rest } from "../../kernel/request/rest.ts";
import { WorkspaceEntry } from "../../contract/resources/workspaces.ts";
import { sql } from "../../platform/db/sql.ts";
import { byName } from "../presenters/by-name.ts";

const Filter = z.strictObject({
  deleted: z
    .boolean()
    .default(false)
    .meta({ description: "Returns deleted workspaces instead of the others." }),
});

type Row = z.infer<typeof WorkspaceEntry>["workspace"] & { role: string };

const workspaces: ExtraRow<{ workspaces: Row[] }, z.infer<typeof Filter>> = {
  select({ credential, input: { deleted }, now, trashDays }) {
    const key = keyAllowsSql(credential);
    return sql`SELECT coalesce(json_agg(entry), '[]') AS "extra.workspaces"
    FROM (SELECT r.name AS role, w."publicId", w.name, w.description, w.slug,
        w."weekStartDay", w."cardPrefix", w."deletedAt"
      FROM members m JOIN workspaces w ON w.id = m."workspaceId" JOIN roles r ON r.id = m."roleId"
      WHERE m."userId" = caller."caller.userId" AND m.status = 'active'
        AND ${key.allows(sql`'workspace:view'`)} AND ${holdsPermission(sql`'workspace:view'`)}
        AND (w."deletedAt" IS NOT NULL) = ${deleted} AND ${key.isFor(sql`w.id`)}
        AND (w."deletedAt" IS NULL OR w."deletedAt" >= ${purgedBefore(now, trashDays)}::timestamptz)
      ORDER BY ${byName(sql`w.name`)}, w.id) entry`;
  },
};

/** Lists the caller's workspaces with their role in each. */
export const listWorkspaces = query("workspace.list", Filter, workspaces)
  .meta(
    rest("Workspaces").get(
      "/workspaces",
      "List your workspaces",
      "Returns the workspaces of which the caller is an active member, sorted by name, with the " +
        "caller's role in each. Workspaces where the caller lacks `workspace:view` are left out.",
    ),
  )
  .output(z.array(WorkspaceEntry))
  .query(({ ctx: { row } }) =>
    row.workspaces.map(({ role, deletedAt, ...workspace }) => ({
      role,
      workspace: { ...workspace, deletedAt: deletedAt === null ? null : iso(new Date(deletedAt)) },
    })),
  );
