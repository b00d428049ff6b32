import { z } from "zod";
import { ImportLossGroup } from "../../contract/resources/imports.ts";
import type { Viewer } from "../../kernel/access/visibility.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { checkImportAccess } from "./access.ts";
import {
  cardOfIssue,
  issueColumns,
  reportReaderOf,
  viewIssueItem,
  type IssueRow,
} from "./issues.ts";

const maxGroups = 100;
const maxExamples = 5;

type Row = IssueRow & { total: bigint; nth: bigint };

/** The first issues of each group, losses first and large groups first. */
const issuesOf = (importId: bigint, viewer: Viewer) => sql`
  SELECT ${issueColumns}, i.total, i.nth FROM (
    SELECT issue.*, sum(issue.count) OVER same AS total,
      row_number() OVER (PARTITION BY severity, kind, reason ORDER BY id) AS nth
    FROM import_issues issue WHERE "importId" = ${importId}
    WINDOW same AS (PARTITION BY severity, kind, reason)
  ) i ${cardOfIssue(viewer)}
  WHERE i.nth <= ${maxExamples}
  ORDER BY i.severity, i.total DESC, i.kind, i.reason, i.nth
  LIMIT ${maxGroups * maxExamples + 1}`;

/** Reads the report of an import, grouped by kind and reason. */
export const readReport = query("import.report")
  .meta(
    rest("Imports").get(
      "/imports/{importPublicId}/report",
      "Get an import's report",
      "Returns what an import did not import completely, grouped by kind and reason. Each group " +
        "has its count and, unless nothing was lost, its first five items. Losses come first, " +
        "then what was imported partly, then what lost nothing. There are at most 100 groups; " +
        "`isCapped` shows that there are more. The caller must have started the import or have " +
        "`workspace:manage`. Unless they started it, names require `board:view`, `list:view`, " +
        "`card:view` and `comment:view`.",
    ),
  )
  .output(
    z.object({
      groups: z
        .array(ImportLossGroup)
        .meta({ description: "The groups: losses first, then by size." }),
      isCapped: z.boolean().meta({ description: "Whether there are more groups." }),
    }),
  )
  .query(async ({ ctx }) => {
    checkImportAccess(ctx);
    const reader = reportReaderOf(ctx);
    const rows = await ctx.db.query<Row>(issuesOf(ctx.import.id, reader.viewer));
    const groups: z.infer<typeof ImportLossGroup>[] = [];
    for (const row of rows) {
      const { kind, reason, severity, total, nth } = row;
      if (nth === 1n) groups.push({ kind, reason, severity, count: Number(total), examples: [] });
      if (severity !== "info") groups.at(-1)?.examples.push(viewIssueItem(row, reader));
    }
    return { groups: groups.slice(0, maxGroups), isCapped: groups.length > maxGroups };
  });
