import { z } from "zod";
import { mayRead } from "../access/may.ts";
import { page, readIdCursor } from "../db/cursor.ts";
import { Page, pageOf, text } from "../fields.ts";
import { rest } from "../http/rest.ts";
import { Member, viewMember } from "./view.ts";

const Filter = Page.extend({
  status: z.enum(["invited", "active", "removed"]).optional(),
  query: text(1, 200).optional(),
});

/** What is read of a member to show it. */
export const memberSelect = {
  id: true,
  publicId: true,
  email: true,
  status: true,
  version: true,
  createdAt: true,
  joinedAt: true,
  user: { select: { name: true, image: true } },
  role: { select: { name: true, publicId: true } },
} as const;

/** The members of a workspace, oldest first; those who have been removed only when asked for. */
export const listMembers = mayRead("member.list", Filter)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/members",
      "List the members of a workspace",
    ),
  )
  .output(pageOf(Member))
  .query(async ({ ctx: { workspace, standing, db }, input }) => {
    const showEmail = workspace.showEmailsToMembers || standing.may.has("member:edit");
    const after = readIdCursor(input.cursor);
    const contains = { contains: input.query ?? "", mode: "insensitive" } as const;
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
    return page(rows, input.limit, (row) => viewMember(row, showEmail));
  });
