import type { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import { sql } from "../../platform/db/sql.ts";
import type { BoardRef } from "../../contract/resources/boards.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Page } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { checkMine } from "./visible-imports.ts";
import { ImportReport } from "../../contract/resources/imports.ts";
import { viewImport } from "./view.ts";

const boards = (importId: bigint, viewer: Viewer) =>
  sql`SELECT b."publicId", b.name FROM imported_things t
  JOIN boards b ON b.id = t."targetId" AND b."workspaceId" = t."workspaceId"
    AND b."deletedAt" IS NULL
  WHERE t."importId" = ${importId} AND t.kind = 'board' AND ${isVisible(viewer)}
  ORDER BY t.id LIMIT 1000`;

/** An import: how far it is, what it has made, and what did not come over whole. */
export const getImport = query("import.get", Page)
  .meta(
    rest("Imports").get(
      "/imports/{importPublicId}",
      "Read an import and its report",
      "How far it is, what it has made, and a page of what did not come over whole, with why. For whoever started it, and those who manage the workspace.",
    ),
  )
  .output(ImportReport)
  .query(async ({ ctx, input }) => {
    checkMine(ctx);
    const { import: row, workspace, db, deps } = ctx;
    const pages = pagesById(deps.seal, `report of ${row.publicId}`);
    const after = pages.after(input.cursor) ?? 0n;
    const [made, losses] = await Promise.all([
      db.query<z.infer<typeof BoardRef>>(boards(row.id, viewerOf(ctx))),
      db.importLoss.findMany({
        where: { importId: row.id, id: { gt: after } },
        orderBy: { id: "asc" },
        take: input.limit + 1,
      }),
    ]);
    const report = pages.page(losses, input.limit, ({ partly, ...loss }) => ({
      kind: loss.kind,
      sourceId: loss.sourceId,
      name: loss.name,
      reason: loss.reason,
      isPartlyThere: partly,
      count: loss.count,
    }));
    return { ...viewImport(row, workspace), boards: made, report };
  });
