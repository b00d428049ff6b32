import { z } from "zod";
import { query } from "../../kernel/procedures/query.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Page, pageOf, text } from "../../contract/vocabulary/fields.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberSelect } from "../views/member-select.ts";
import { Member } from "../../contract/resources/members.ts";
import { viewMember } from "../views/members.ts";

const Filter = Page.extend({
  status: z
    .enum(["invited", "active", "removed"])
    .meta({ description: "Only members with this status." })
    .optional(),
  query: text(1, 200)
    .meta({
      description: "Only members whose name contains this text, or address if you may see it.",
    })
    .optional(),
});

/** Lists the members of a workspace, oldest first. Removed members need `status=removed`. */
export const listMembers = query("member.list", Filter)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/members",
      "List members",
      "Returns members, oldest first. Removed members are returned only with " +
        "`status=removed`. `email` is null unless the caller has `member:edit` or the workspace " +
        "shows addresses.",
    ),
  )
  .output(pageOf(Member))
  .query(async ({ ctx: { workspace, membership, db, deps }, input }) => {
    const showEmail = workspace.showEmailsToMembers || membership.may.has("member:edit");
    const pages = pagesById(deps.seal, `members of ${workspace.id}`);
    const after = pages.after(input.cursor);
    const contains = { contains: literal(input.query ?? ""), mode: "insensitive" } as const;
    const rows = await db.member.findMany({
      where: {
        workspaceId: workspace.id,
        status: input.status ?? { not: "removed" },
        ...(after === undefined ? {} : { id: { gt: after } }),
        ...(input.query === undefined
          ? {}
          : { OR: [{ user: { name: contains } }, ...(showEmail ? [{ email: contains }] : [])] }),
      },
      orderBy: { id: "asc" },
      take: input.limit + 1,
      select: memberSelect,
    });
    return pages.page(rows, input.limit, (row) => viewMember(row, showEmail));
  });

/** Escapes the wildcards of LIKE. */
const literal = (phrase: string) => phrase.replace(/[\\%_]/g, "\\$&");
