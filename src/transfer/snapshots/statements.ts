import { summaryColumns } from "../../domain/cards/assemble.ts";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { sql } from "../../platform/db/sql.ts";

/** Which boards are read: all that the viewer sees, or some; archived ones as well. */
export type BoardSelection = {
  workspaceId: bigint;
  viewer: Viewer;
  publicIds: string[] | null;
  archived: boolean;
};

/** Roles behind an id. */
export const roles = (workspaceId: bigint, after: bigint, limit: number) => sql`
  SELECT r.* FROM roles r WHERE r."workspaceId" = ${workspaceId} AND r.id > ${after}
  ORDER BY r.id LIMIT ${limit}`;

/** Members behind an id who have not been removed. */
export const members = (workspaceId: bigint, after: bigint, limit: number) => sql`
  SELECT m.id, m."publicId", m.email, m.status::text AS status, m.version, m."createdAt",
    m."joinedAt", CASE WHEN u.id IS NOT NULL
      THEN jsonb_build_object('name', u.name, 'image', u.image) END AS user,
    jsonb_build_object('name', r.name, 'publicId', r."publicId") AS role
  FROM members m JOIN roles r ON r.id = m."roleId" LEFT JOIN users u ON u.id = m."userId"
  WHERE m."workspaceId" = ${workspaceId} AND m.status <> 'removed' AND m.id > ${after}
  ORDER BY m.id LIMIT ${limit}`;

/** Boards behind an id. */
export const boards = (selection: BoardSelection, after: bigint, limit: number) => sql`
  SELECT b.* FROM boards b
  WHERE b."workspaceId" = ${selection.workspaceId} AND b."deletedAt" IS NULL
    AND (${selection.archived} OR b."archivedAt" IS NULL)
    AND (${selection.publicIds}::text[] IS NULL OR b."publicId" = ANY(${selection.publicIds}))
    AND ${isVisible(selection.viewer)} AND b.id > ${after}
  ORDER BY b.id LIMIT ${limit}`;

/** The views of a workspace and of its boards: feeds have no private views. */
export const views = (workspaceId: bigint) => sql`
  SELECT v.* FROM views v WHERE v."workspaceId" = ${workspaceId} AND v."deletedAt" IS NULL
    AND v."ownerId" IS NULL ORDER BY v.id`;

/** The lists of a board, in order. */
export const lists = (boardId: bigint, archived: boolean) => sql`
  SELECT l.* FROM lists l WHERE l."boardId" = ${boardId} AND l."deletedAt" IS NULL
    AND (${archived} OR l."archivedAt" IS NULL) ORDER BY l.position`;

/** The cards of a list behind a position, in order. */
export const cards = (listId: bigint, archived: boolean, after: string, limit: number) => sql`
  SELECT ${summaryColumns}, c.description, c.position, NULL::bigint AS index
  FROM cards c JOIN lists l ON l.id = c."listId" JOIN workspaces w ON w.id = c."workspaceId"
  WHERE c."listId" = ${listId} AND c."deletedAt" IS NULL
    AND (${archived} OR c."archivedAt" IS NULL) AND c.position > ${after}
  ORDER BY c.position LIMIT ${limit}`;
