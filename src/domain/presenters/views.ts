import type { z } from "zod";
import { isFilter } from "../../contract/filter/check.ts";
import type { SortKey } from "../../contract/filter/sort.ts";
import type { FilterTree } from "../../contract/filter/tree.ts";
import { groupingIn, StoredView, type ViewInfo } from "../../contract/resources/views.ts";
import { iso } from "../../contract/vocabulary/texts.ts";
import type { View as Row } from "../../platform/db/rows.ts";

/** What a view says of its cards. Only valid filters and orders are stored. */
export type ViewContent = {
  boards: string[];
  filter: FilterTree | null;
  sortBy: SortKey[];
  /** As `groupingText` has it. */
  groupBy: string | null;
};

/** What a row says of the cards. */
export const contentOf = ({ boards, filter, sortBy, groupBy }: Row): ViewContent => ({
  boards,
  filter: isFilter(filter) ? filter : null,
  sortBy: StoredView.shape.sortBy.parse(sortBy),
  groupBy,
});

/** A view as events show it; `boardPublicId` is that of its board. */
export function showView(
  row: Row,
  boardPublicId: string | null,
  { boards, filter, sortBy, groupBy }: ViewContent = contentOf(row),
): z.infer<typeof ViewInfo> {
  const ofMember = row.ownerId === null ? "workspace" : "private";
  return {
    publicId: row.publicId,
    name: row.name,
    scope: row.boardId === null ? ofMember : "board",
    boardPublicId,
    boards: boards.length === 0 ? null : boards,
    filter,
    sortBy,
    groupBy: groupBy === null ? null : groupingIn(groupBy),
    layout: row.layout,
    version: row.version,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}
