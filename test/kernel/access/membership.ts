import type { Permission } from "../../../src/contract/vocabulary/permissions.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import type { App } from "../../support/app.ts";
import { join, type Workspace } from "../../support/make.ts";
import { findEvents } from "../../support/events.ts";

/** Gives a member a permission, or takes one, straight in the database. */
export async function setOverride(
  app: App,
  memberPublicId: string,
  permission: Permission,
  granted: boolean,
) {
  await app.db.write(sql`
    INSERT INTO member_overrides ("memberId", "workspaceId", permission, granted)
    SELECT id, "workspaceId", ${permission}::text, ${granted}::boolean FROM members
    WHERE "publicId" = ${memberPublicId}
    ON CONFLICT ("memberId", permission) DO UPDATE SET granted = excluded.granted`);
}

/** Gives a member another role of their workspace, straight in the database. */
export async function setRole(app: App, memberPublicId: string, role: string) {
  await app.db.write(sql`
    UPDATE members m SET "roleId" = r.id, "updatedAt" = now() FROM roles r
    WHERE m."publicId" = ${memberPublicId} AND r."workspaceId" = m."workspaceId"
      AND r.name = ${role}`);
}

/** Removes a member, straight in the database. */
export async function removeMember(app: App, memberPublicId: string) {
  await app.db.write(
    sql`UPDATE members SET status = 'removed', "removedAt" = ${app.deps.clock()}::timestamptz
      WHERE "publicId" = ${memberPublicId}`,
  );
}

/** The events of a workspace, oldest first. */
export async function eventsIn({ db }: Pick<App, "db">, publicId: string, type?: string) {
  const { id } = await db.reader.workspace.findUniqueOrThrow({ where: { publicId } });
  return findEvents(
    { db },
    {
      where: { workspaceId: id, ...(type === undefined ? {} : { type }) },
      orderBy: { id: "asc" },
    },
  );
}

/** How many of some answers had each status. */
export function tally(replies: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Lets new users in one after the other (a new link ends the one before it), each with a role. */
export async function joinAll<Roles extends ("admin" | "member" | "guest")[]>(
  app: App,
  workspace: Workspace,
  ...roles: [...Roles]
): Promise<{ [Index in keyof Roles]: Awaited<ReturnType<typeof join>> }> {
  const users = [];
  for (const role of roles) users.push(await join(app, workspace, role));
  // One user a role, in the order of the roles.
  return users as { [Index in keyof Roles]: Awaited<ReturnType<typeof join>> };
}
