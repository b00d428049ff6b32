import type { z } from "zod";
import type { OperatorWorkspace } from "../../contract/resources/operator.ts";
import { iso, isoOrNull } from "../../contract/vocabulary/texts.ts";
import { hasId } from "../../kernel/access/resolve-target.ts";
import { purgedBefore } from "../../kernel/access/trash-expiry.ts";
import { lockAccount } from "../../kernel/limits.ts";
import type { UnitOfWork } from "../../kernel/events/unit-of-work.ts";
import { notFound } from "../../platform/errors.ts";
import type { Query } from "../../platform/db/query.ts";
import type { Workspace } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { mayRepair } from "../permissions/override.ts";
import { fileBytesSql } from "../attachments/quota.ts";

/** The row of a workspace for operators; `keys` are those of its place in the listing. */
export type WorkspaceRow = {
  publicId: string;
  name: string;
  slug: string;
  cardCount: number;
  eventCount: string;
  fileBytes: string;
  memberCount: number;
  adminCount: number;
  attachmentsQuota: number | null;
  lastActivityAt: Date | null;
  createdAt: Date;
  deletedAt: Date | null;
  keys: (string | null)[];
};

/** SQL: the number of admins who can manage the workspace `w`. */
export const adminCount = sql`(SELECT count(*)::int FROM members m JOIN roles r ON r.id = m."roleId"
  WHERE m."workspaceId" = w.id AND ${mayRepair})`;

/** SQL: the number of active members of the workspace `w`. */
export const memberCount = sql`(SELECT count(*)::int FROM members m
  WHERE m."workspaceId" = w.id AND m.status = 'active')`;

/**
 * SQL: workspaces `w` with their logs `l`.
 *
 * Cards and events are the highest numbers that were given, and the newest event is found by its
 * number: nothing of a workspace is counted for them. Files and members are counted, files as each
 * upload does.
 */
export const selectWorkspaces = (chosen: Sql): Sql => sql`
  SELECT w."publicId", w.name, w.slug, w."lastCardNumber" AS "cardCount",
    w."eventCount"::text AS "eventCount", ${fileBytesSql(sql`w.id`)} AS "fileBytes",
    ${memberCount} AS "memberCount", ${adminCount} AS "adminCount", w."attachmentsQuota",
    (SELECT e."createdAt" FROM events e WHERE e."workspaceId" = w.id AND e.number = w."eventCount")
      AS "lastActivityAt",
    w."createdAt", w."deletedAt", w.keys
  FROM (${chosen}) w ORDER BY w.place`;

/** SQL: the columns of a chosen workspace `w` with its log `l`. */
export const chosenColumns = sql`w.id, w."publicId", w.name, w.slug, w."lastCardNumber",
  w."attachmentsQuota", w."createdAt", w."deletedAt", coalesce(l.last, 0) AS "eventCount"`;

/** Reads a workspace, also from the trash. */
export async function readWorkspace(query: Query, publicId: string): Promise<WorkspaceRow> {
  const [row] = await query<WorkspaceRow>(
    selectWorkspaces(sql`SELECT ${chosenColumns}, 1 AS place, '{}'::text[] AS keys
      FROM workspaces w LEFT JOIN logs l ON l."workspaceId" = w.id
      WHERE w."publicId" = ${publicId}`),
  );
  if (row === undefined) throw notFound("workspace");
  return row;
}

/** SQL: whether an id or a slug names the workspace `w`. */
export const isNamed = (idOrSlug: string): Sql => hasId("workspace", sql`w`, idOrSlug);

/** Locks a workspace that is not deleted, for events in its log. Else 404. */
export async function lockWorkspace(tx: UnitOfWork, idOrSlug: string): Promise<Workspace> {
  const workspace = await lockWhere(tx, idOrSlug, sql`"deletedAt" IS NULL`);
  tx.recordLocked("workspaces", workspace.id);
  return workspace;
}

/**
 * Locks a workspace in the trash, which the purge does not take yet, and before it the account that
 * created it, whose limit it counts for. Else 404.
 */
export async function lockDeletedWorkspace(
  tx: UnitOfWork,
  idOrSlug: string,
  trashDays: number,
): Promise<Workspace> {
  const [creator] = await tx.query<{ id: bigint }>(sql`SELECT u.id FROM users u
    JOIN workspaces w ON w."createdById" = u.id WHERE ${isNamed(idOrSlug)}`);
  if (creator !== undefined) await lockAccount(tx, creator.id);
  const isInTrash = sql`"deletedAt" >= ${purgedBefore(tx.now, trashDays)}::timestamptz`;
  return lockWhere(tx, idOrSlug, isInTrash);
}

async function lockWhere(tx: UnitOfWork, idOrSlug: string, condition: Sql): Promise<Workspace> {
  const [row] = await tx.query<Workspace>(sql`SELECT w.* FROM workspaces w
    WHERE ${isNamed(idOrSlug)} AND ${condition} FOR NO KEY UPDATE`);
  if (row === undefined) throw notFound("workspace");
  tx.workspaceId = row.id;
  return row;
}

/** Shows a workspace to an operator. */
export function showWorkspaceRow(workspace: WorkspaceRow): z.infer<typeof OperatorWorkspace> {
  const { keys: _, ...row } = workspace;
  return {
    ...row,
    eventCount: Number(row.eventCount),
    fileBytes: Number(row.fileBytes),
    lastActivityAt: isoOrNull(row.lastActivityAt),
    createdAt: iso(row.createdAt),
    deletedAt: isoOrNull(row.deletedAt),
  };
}
