import type { z } from "zod";
import type { View } from "../../contract/resources/views.ts";
import { memberName } from "../../kernel/access/member-name.ts";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { firstRow, type Query } from "../../platform/db/query.ts";
import type { View as Row } from "../../platform/db/rows.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import { contentOf, showView } from "../presenters/views.ts";
import { brokenParts, readTargets } from "./targets.ts";

type Shown = Row & {
  boardPublicId: string | null;
  creatorId: string | null;
  creatorName: string;
  creatorImage: string | null;
};

/** Reads views, by a condition on `v`, as a reader sees them, by name. */
export async function readViews(
  query: Query,
  workspace: { id: bigint; publicId: string },
  viewer: Viewer,
  isOne: Sql,
): Promise<z.infer<typeof View>[]> {
  const rows = await query<Shown>(sql`SELECT v.*, b."publicId" AS "boardPublicId",
      m."publicId" AS "creatorId", ${memberName} AS "creatorName", u.image AS "creatorImage"
    FROM views v LEFT JOIN boards b ON b.id = v."boardId"
    LEFT JOIN members m ON m."workspaceId" = v."workspaceId" AND m."userId" = v."createdById"
    LEFT JOIN users u ON u.id = m."userId"
    WHERE ${isOne} AND v."workspaceId" = ${workspace.id}
      AND (v."ownerId" IS NULL OR v."ownerId" = ${viewer.memberId})
      AND ((b.id IS NULL AND ${viewer.boardId}::bigint IS NULL)
        OR (b."deletedAt" IS NULL AND ${isVisible(viewer)}))
    ORDER BY v.name, v.id`);
  const targets = await readTargets(query, workspace.id, viewer, rows.map(contentOf));
  return rows.map(({ boardPublicId, creatorId, creatorName, creatorImage, ...row }) => {
    const broken = brokenParts(contentOf(row), targets);
    const createdBy =
      creatorId === null ? null : { publicId: creatorId, name: creatorName, image: creatorImage };
    const more = { workspacePublicId: workspace.publicId, createdBy, broken };
    return { ...showView(row, boardPublicId), ...more, isBroken: broken.length > 0 };
  });
}

/** Reads one view as a reader sees it. */
export async function readView(
  query: Query,
  workspace: { id: bigint; publicId: string },
  viewer: Viewer,
  id: bigint,
): Promise<z.infer<typeof View>> {
  return firstRow(await readViews(query, workspace, viewer, sql`v.id = ${id}`));
}
