import { Import } from "../../contract/resources/imports.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { showImport } from "../presenters/imports.ts";

/** Lists the imports into a workspace, latest first. */
export const listImports = query("import.list", Page)
  .meta(
    rest("Imports").get(
      "/workspaces/{workspacePublicId}/imports",
      "List imports",
      "Returns the imports into a workspace, newest first: the caller's own, or all of them with " +
        "`workspace:manage`. Any active member may call it.",
    ),
  )
  .output(pageOf(Import))
  .query(async ({ ctx: { workspace, caller, membership, db, deps }, input }) => {
    const pages = pagesById(deps.seal, `imports of ${workspace.id}`);
    const after = pages.after(input.cursor);
    const rows = await db.import.findMany({
      where: {
        workspaceId: workspace.id,
        ...(membership.may.has("workspace:manage") ? {} : { createdById: caller.userId }),
        ...(after === undefined ? {} : { id: { lt: after } }),
      },
      orderBy: { id: "desc" },
      take: input.limit + 1,
    });
    return pages.page(rows, input.limit, (row) => showImport(row, workspace));
  });
