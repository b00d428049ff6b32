import type { z } from "zod";
import type { BoardRef } from "../../contract/resources/boards.ts";
import { ImportReport } from "../../contract/resources/imports.ts";
import { Page } from "../../contract/vocabulary/fields.ts";
import { isVisible, viewerOf, type Viewer } from "../../kernel/access/visibility.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Import as ImportRow } from "../../platform/db/rows.ts";
import { sql } from "../../platform/db/sql.ts";
import { checkImportAccess } from "./access.ts";
import { viewImport } from "./job/view.ts";

const boardsOf = (importId: bigint, viewer: Viewer) => sql`
  SELECT b."publicId", b.name FROM imported_things item
  JOIN boards b ON b.id = item."targetId" AND b."workspaceId" = item."workspaceId"
    AND b."deletedAt" IS NULL
  WHERE item."importId" = ${importId} AND item.kind = 'board' AND ${isVisible(viewer)}
  ORDER BY item.id LIMIT 1000`;

type CardOfIssue = { sourceId: string; publicId: string };

/** The imported cards that issues name by their source ids. */
const cardsOf = ({ workspaceId, family }: ImportRow, viewer: Viewer, sourceIds: string[]) => sql`
  SELECT item."sourceId", c."publicId" FROM imported_things item
  JOIN cards c ON c.id = item."targetId" AND c."workspaceId" = item."workspaceId"
    AND c."deletedAt" IS NULL
  JOIN boards b ON b.id = c."boardId" AND b."deletedAt" IS NULL AND ${isVisible(viewer)}
  WHERE item."workspaceId" = ${workspaceId} AND item.source = ${family} AND item.kind = 'card'
    AND item."sourceId" = ANY(${sourceIds}::text[])`;

const contents = ["board:view", "list:view", "card:view", "comment:view"] as const;

/** Reads an import: its progress, its boards and its report. */
export const getImport = query("import.get", Page)
  .meta(
    rest("Imports").get(
      "/imports/{importPublicId}",
      "Read an import and its report",
      "Progress, counts and created boards, and a page of the report: what was skipped or " +
        "imported partly, and why. For the starter of the import, and with `workspace:manage`. " +
        "Others see names only with board:view, list:view, card:view and comment:view.",
    ),
  )
  .output(ImportReport)
  .query(async ({ ctx, input }) => {
    checkImportAccess(ctx);
    const { import: row, workspace, caller, membership, db, deps } = ctx;
    // The starter has the source; to others its names are the content of boards.
    const showsNames =
      row.createdById === caller.userId || contents.every((view) => membership.may.has(view));
    const pages = pagesById(deps.seal, `report of ${row.publicId}`);
    const after = pages.after(input.cursor) ?? 0n;
    const [boards, issues] = await Promise.all([
      db.query<z.infer<typeof BoardRef>>(boardsOf(row.id, viewerOf(ctx))),
      db.importLoss.findMany({
        where: { importId: row.id, id: { gt: after } },
        orderBy: { id: "asc" },
        take: input.limit + 1,
      }),
    ]);
    const sourceIds = issues.flatMap(({ sourceId }) => sourceId ?? []);
    const cards = new Map(
      (await db.query<CardOfIssue>(cardsOf(row, viewerOf(ctx), sourceIds))).map((card) => [
        card.sourceId,
        card.publicId,
      ]),
    );
    const report = pages.page(issues, input.limit, ({ partly, ...issue }) => ({
      kind: issue.kind,
      sourceId: issue.sourceId,
      cardPublicId: cards.get(issue.sourceId ?? "") ?? null,
      name: showsNames ? issue.name : null,
      reason: issue.reason,
      isPartlyThere: partly,
      count: issue.count,
    }));
    return { ...viewImport(row, workspace), boards, report };
  });
