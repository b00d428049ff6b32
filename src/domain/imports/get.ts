import type { z } from "zod";
import type { BoardRef } from "../../contract/resources/boards.ts";
import { ImportReport } from "../../contract/resources/imports.ts";
import { Page } from "../../contract/vocabulary/texts.ts";
import { isVisible, type Viewer } from "../../kernel/access/visibility.ts";
import { pagesByKeys } from "../../kernel/pages/by-keys.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import type { Query } from "../../platform/db/query.ts";
import { sql } from "../../platform/db/sql.ts";
import { checkImportAccess } from "./access.ts";
import {
  cardOfIssue,
  issueColumns,
  reportReaderOf,
  viewIssueItem,
  type IssueRow,
  type ReportReader,
} from "./issues.ts";
import { showImport } from "../presenters/imports.ts";

const boardsOf = (importId: bigint, viewer: Viewer) => sql`
  SELECT b."publicId", b.name FROM imported_items item
  JOIN boards b ON b.id = item."targetId" AND b."workspaceId" = item."workspaceId"
    AND b."deletedAt" IS NULL
  WHERE item."importId" = ${importId} AND item.kind = 'board' AND ${isVisible(viewer)}
  ORDER BY item.id LIMIT 1000`;

/** A page of the issues of an import: losses first. */
async function pageOfIssues(read: Query, reader: ReportReader, page: z.infer<typeof Page>) {
  const { import: row, deps, viewer } = reader;
  const pages = pagesByKeys(deps.seal, `issues of ${row.publicId}`);
  const [severity = "loss", id = "0"] = pages.after(page.cursor) ?? [];
  const rows = await read<IssueRow>(sql`
    SELECT ${issueColumns} FROM import_issues i ${cardOfIssue(viewer)}
    WHERE i."importId" = ${row.id}
      AND (i.severity, i.id) > (${severity}::"ImportSeverity", ${id}::bigint)
    ORDER BY i.severity, i.id LIMIT ${page.limit + 1}`);
  const keyed = rows.map((issue) => ({ ...issue, keys: [issue.severity, String(issue.id)] }));
  const { rows: pageRows, nextCursor } = pages.page(keyed, page.limit);
  const items = pageRows.map((issue) => {
    const { kind, reason, severity: of, count, cardPublicId } = issue;
    const item = viewIssueItem(issue, reader);
    const wholeReason =
      item.detail === null ? reason : `${reason.replace(/\.$/, "")}: ${item.detail}`;
    const isPartlyThere = of === "partial";
    return { ...item, kind, cardPublicId, reason: wholeReason, severity: of, isPartlyThere, count };
  });
  return { items, nextCursor };
}

/** Reads an import: its progress, its boards and its report. */
export const getImport = query("import.get", Page)
  .meta(
    rest("Imports").get(
      "/imports/{importPublicId}",
      "Get an import and its report",
      "Returns the progress, counts and created boards of an import, and a page of its report. " +
        "The report lists what was skipped or imported only partly, and why, with losses first. " +
        "`import.report` groups the items by kind and reason. The caller must have started the " +
        "import or have `workspace:manage`. Unless they started it, names require `board:view`, " +
        "`list:view`, `card:view` and `comment:view`.",
    ),
  )
  .output(ImportReport)
  .query(async ({ ctx, input }) => {
    checkImportAccess(ctx);
    const { import: row, workspace, db } = ctx;
    const reader = reportReaderOf(ctx);
    const [boards, report] = await Promise.all([
      db.query<z.infer<typeof BoardRef>>(boardsOf(row.id, reader.viewer)),
      pageOfIssues(db.query, reader, input),
    ]);
    return { ...showImport(row, workspace), boards, report };
  });
