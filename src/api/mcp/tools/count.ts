import { z } from "zod";
import { groupFields, isGroupField, noGroup } from "../../../contract/filter/groupings.ts";
import type { ViewGroups } from "../../../contract/resources/views.ts";
import { boardGroups } from "../../../domain/views/board-groups.ts";
import { viewGroups } from "../../../domain/views/groups.ts";
import { listViews } from "../../../domain/views/list.ts";
import * as arg from "../arguments.ts";
import { filterByIds } from "../custom-fields.ts";
import { pick } from "../pick.ts";
import { pageOfLines, quoted } from "../text.ts";
import { reads } from "../tool.ts";
import { filterOf, filters, finding } from "./filters.ts";

/** The groups, one on each line, and their total. */
async function* lines({ groups, total, isExact }: z.infer<typeof ViewGroups>) {
  const least = isExact ? "" : "at least ";
  for (const { key, name, count } of groups) {
    const shown = key === noGroup ? "none" : name === null ? key : quoted(name, 40);
    yield `- ${shown}: ${least}${count}`;
  }
  yield `total: ${least}${total}`;
}

/** The tool that counts cards. */
export const cardCount = reads(
  {
    name: "card_count",
    title: "Count cards",
    group: "read",
    description:
      "Counts the cards of a board that pass all filters, by list or another field; or those of a " +
      "view, by its own groups.",
    procedures: [boardGroups, viewGroups, listViews, ...finding],
    input: {
      board: arg.Board,
      by: z
        .string()
        .describe(`${groupFields.join(", ")} or a custom field. Default list.`)
        .optional(),
      ...filters,
      filter: arg.Filter.describe("As in card_list."),
      view: z.string().describe("Name or id.").optional(),
      workspace: arg.Workspace,
      cursor: arg.Cursor,
    },
  },
  async ({ session, find }, { board, by = "list", filter, view, workspace, cursor, ...short }) => {
    if (view !== undefined) {
      const { publicId: workspacePublicId } = await find.workspace(workspace);
      const views = await session.read(listViews, { workspacePublicId });
      const { publicId: viewPublicId } = pick("view", view, views, ({ name }) => [name]);
      return pageOfLines(lines(await session.read(viewGroups, { viewPublicId })), cursor);
    }
    const { publicId: boardPublicId } = await find.board(board, workspace);
    const custom = isGroupField(by) ? undefined : await find.field(boardPublicId, by);
    const groups = await session.read(boardGroups, {
      boardPublicId,
      groupBy: custom === undefined ? by : `fields.${custom.publicId}`,
      ...(await filterOf(find, boardPublicId, short)),
      filter: filter && (await filterByIds(find, boardPublicId, filter)),
    });
    return pageOfLines(lines(groups), cursor);
  },
);
