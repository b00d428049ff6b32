import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { purgedBefore } from "../../kernel/access/authorize.ts";
import { iso } from "../../contract/vocabulary/fields.ts";
import { keyAllows, type Caller } from "../../kernel/access/callers.ts";
import { holdsPermission } from "../../kernel/access/visibility.ts";
import { rest } from "../../kernel/request/rest.ts";
import { WorkspaceEntry } from "../../contract/resources/workspaces.ts";
import { sql } from "../../platform/db/sql.ts";

const Filter = z.strictObject({
  deleted: z
    .boolean()
    .default(false)
    .meta({ description: "Return deleted workspaces instead of live ones." }),
});

type Row = z.infer<typeof WorkspaceEntry>["workspace"] & { role: string; deleted: Date | null };

const statement = ({ userId, key }: Caller, deleted: boolean, deletedSince: Date) =>
  sql`SELECT r.name AS role, w."publicId", w.name, w.description, w.slug,
    w."weekStartDay", w."cardPrefix", w."deletedAt" AS deleted
  FROM members m JOIN workspaces w ON w.id = m."workspaceId" JOIN roles r ON r.id = m."roleId"
  WHERE m."userId" = ${userId} AND m.status = 'active'
    AND ${keyAllows({ key }, "workspace:view")}::boolean
    AND ${holdsPermission(sql`'workspace:view'`)}
    AND (w."deletedAt" IS NOT NULL) = ${deleted} AND (${key?.workspaceId ?? null}::bigint IS NULL
    OR w.id = ${key?.workspaceId ?? null})
    AND (w."deletedAt" IS NULL OR w."deletedAt" >= ${deletedSince}::timestamptz)
  ORDER BY lower(w.name), w.id`;

/** Lists the caller's workspaces with their role in each. */
export const listWorkspaces = query("workspace.list", Filter)
  .meta(
    rest("Workspaces").get(
      "/workspaces",
      "List your workspaces",
      "Returns the workspaces that the caller is an active member of, by name, with the " +
        "caller's role in each. Leaves out those where the caller lacks workspace:view.",
    ),
  )
  .output(z.array(WorkspaceEntry))
  .query(async ({ ctx: { caller, db, deps }, input }) => {
    const rows = await db.query<Row>(
      statement(caller, input.deleted, purgedBefore(deps.clock(), deps.config.TRASH_DAYS)),
    );
    return rows.map(({ role, deleted, ...workspace }) => ({
      role,
      workspace: { ...workspace, deletedAt: deleted === null ? null : iso(deleted) },
    }));
  });
