import { query } from "../../kernel/procedures/query.ts";
import { pagesById } from "../../kernel/pages/by-id.ts";
import { Page, pageOf } from "../../contract/vocabulary/texts.ts";
import { rest } from "../../kernel/request/rest.ts";
import { memberSelect } from "../presenters/member-select.ts";
import { Member } from "../../contract/resources/members.ts";
import { showMember } from "../presenters/members.ts";
import { membersWith, membersWhoSee } from "../../kernel/access/visibility.ts";

/** Lists the members who can see a board. */
export const listBoardMembers = query("board.members", Page)
  .meta(
    rest("Boards").get(
      "/boards/{boardPublicId}/members",
      "List the members of a board",
      "Returns the active members who can see a board, oldest first. These members have " +
        "`board:view`; on a restricted board they were added to it or have `workspace:manage`. " +
        "Email addresses are shown to callers with `member:edit`, or to everyone if " +
        "`showEmailsToMembers` is set.",
    ),
  )
  .output(pageOf(Member))
  .query(async ({ ctx: { board, workspace, membership, db, deps }, input }) => {
    const showEmail = workspace.showEmailsToMembers || membership.may.has("member:edit");
    const pages = pagesById(deps.seal, `members of board ${board.id}`);
    const after = pages.after(input.cursor);
    const rows = await db.member.findMany({
      where: {
        workspaceId: workspace.id,
        status: "active",
        ...(after === undefined ? {} : { id: { gt: after } }),
        AND: [membersWith("board:view"), membersWhoSee(board)],
      },
      orderBy: { id: "asc" },
      take: input.limit + 1,
      select: memberSelect,
    });
    return pages.page(rows, input.limit, (row) => showMember(row, showEmail));
  });
