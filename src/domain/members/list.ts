import { query } from "../../kernel/procedures/query.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Page, pageOf, text } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { Member, MemberStatus } from "../../contract/resources/members.ts";
import { showMember } from "../presenters/members.ts";
import { sql } from "../../platform/db/sql.ts";

const Filter = Page.extend({
  status: MemberStatus.meta({ description: "Only members with this status." }).optional(),
  query: text(1, 200)
    .meta({
      description:
        "Only members whose name contains this text, or address if you may see it. Case and " +
        "accents do not matter.",
    })
    .optional(),
});

/** Lists the members of a workspace, oldest first. Removed members need `status=removed`. */
export const listMembers = query("member.list", Filter)
  .meta(
    rest("Workspaces").get(
      "/workspaces/{workspacePublicId}/members",
      "List members",
      "Returns the members of a workspace, oldest first. Removed members are returned only with " +
        "`status=removed`. `email` is null unless the caller has `member:edit` or the workspace " +
        "shows addresses.",
    ),
  )
  .output(pageOf(Member))
  .query(async ({ ctx: { workspace, membership, db, deps }, input }) => {
    const showEmail = workspace.showEmailsToMembers || membership.may.has("member:edit");
    const pages = pagesById(deps.seal, `members of ${workspace.id}`);
    const after = pages.after(input.cursor);
    const page = { after, take: input.limit + 1 };
    const matching =
      input.query === undefined
        ? undefined
        : await db.query<{ id: bigint }>(
            namedStatement(workspace.id, { query: input.query, showEmail }, input.status, page),
          );
    const rows = await db.member.findMany({
      where: {
        workspaceId: workspace.id,
        status: input.status ?? { not: "removed" },
        ...(after === undefined ? {} : { id: { gt: after } }),
        ...(matching === undefined ? {} : { AND: { id: { in: matching.map(({ id }) => id) } } }),
      },
      orderBy: { id: "asc" },
      take: page.take,
      select: memberSelect,
    });
    return pages.page(rows, input.limit, (row) => showMember(row, showEmail));
  });

type Named = { query: string; showEmail: boolean };
type PageOfMembers = { after: bigint | undefined; take: number };

/** Finds members by a part of the name or address, without case and accents, as search does. */
const namedStatement = (
  workspaceId: bigint,
  { query: phrase, showEmail }: Named,
  status: string | undefined,
  { after, take }: PageOfMembers,
) => sql`SELECT m.id FROM members m LEFT JOIN users u ON u.id = m."userId"
  WHERE m."workspaceId" = ${workspaceId} AND m.id > ${after ?? 0n}::bigint
    AND CASE WHEN ${status ?? null}::text IS NULL THEN m.status <> 'removed'
      ELSE m.status::text = ${status ?? null}::text END
    AND (strpos(search_fold(u.name), search_fold(${phrase})) > 0
      OR ${showEmail}::boolean AND strpos(search_fold(m.email), search_fold(${phrase})) > 0)
  ORDER BY m.id LIMIT ${take}`;
