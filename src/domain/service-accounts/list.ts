import { Member } from "../../contract/resources/members.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { query } from "../../kernel/procedures/query.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { showMember } from "../presenters/members.ts";

/** Lists the service accounts of a workspace, oldest first. */
export const listServiceAccounts = query("serviceAccount.list", Page)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/service-accounts",
      "List service accounts",
      "Returns the members of a workspace that are service accounts, oldest first.",
    ),
  )
  .output(pageOf(Member))
  .query(async ({ ctx: { workspace, db, deps }, input }) => {
    const pages = pagesById(deps.seal, `service accounts of ${workspace.id}`);
    const rows = await db.member.findMany({
      where: {
        workspaceId: workspace.id,
        status: "active",
        user: { isService: true },
        id: { gt: pages.after(input.cursor) ?? 0n },
      },
      orderBy: { id: "asc" },
      take: input.limit + 1,
      select: memberSelect,
    });
    return pages.page(rows, input.limit, (row) => showMember(row, false));
  });
