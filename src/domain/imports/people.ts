import { pageOf, Page } from "../../contract/vocabulary/texts.ts";
import { ImportedPerson } from "../../contract/resources/imports.ts";
import { viewerOf } from "../../kernel/access/visibility.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { sql } from "../../platform/db/sql.ts";
import { checkImportAccess } from "./access.ts";
import { readPeople, viewPerson } from "./read-people.ts";

/** Lists the people of the source of an import. */
export const importPeople = query("import.people", Page)
  .meta(
    rest("Imports").get(
      "/imports/{importPublicId}/people",
      "List imported people",
      "Returns the people who wrote comments or were assigned to cards or checklist items in " +
        "the source of an import. They come from all imports of that source into the workspace, " +
        "with the members that they are mapped to. The counts cover boards that the caller can " +
        "see; people of other boards are left out. The caller must have started the import or " +
        "have `workspace:manage` or `member:edit`.",
    ),
  )
  .output(pageOf(ImportedPerson))
  .query(async ({ ctx, input }) => {
    if (!ctx.membership.may.has("member:edit")) checkImportAccess(ctx);
    const { import: row, db, deps } = ctx;
    const pages = pagesById(deps.seal, `people of ${row.workspaceId} ${row.family}`);
    const after = pages.after(input.cursor) ?? 0n;
    const rows = await readPeople(db.query, row, viewerOf(ctx), {
      where: sql`p.id > ${after}`,
      limit: input.limit + 1,
    });
    return pages.page(rows, input.limit, viewPerson);
  });
