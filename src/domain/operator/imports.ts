import { Import } from "../../contract/resources/imports.ts";
import { OperatorImport } from "../../contract/resources/operator.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showImport } from "../presenters/imports.ts";

const Filter = Page.extend({
  status: Import.shape.status
    .meta({ description: "Only imports in this state.", examples: ["running"] })
    .optional(),
});

/** Lists the imports into all workspaces, latest first. */
export const listAllImports = query("operator.imports", Filter)
  .meta(
    rest("Operator").get(
      "/operator/imports",
      "List all imports",
      "Returns the imports into all workspaces, newest first, with their progress.",
    ),
  )
  .output(pageOf(OperatorImport))
  .query(async ({ ctx: { db, deps }, input: { cursor, limit, status } }) => {
    const pages = pagesById(deps.seal, "imports of the operator");
    const after = pages.after(cursor);
    const rows = await db.import.findMany({
      where: {
        ...(status === undefined ? {} : { status }),
        ...(after === undefined ? {} : { id: { lt: after } }),
      },
      orderBy: { id: "desc" },
      take: limit + 1,
      include: { workspace: { select: { publicId: true, name: true } } },
    });
    return pages.page(rows, limit, ({ workspace, ...row }) => ({
      ...showImport(row, workspace),
      workspaceName: workspace.name,
    }));
  });
